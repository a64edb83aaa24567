"""The base of event payloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar

from mendel.contracts.base import Contract
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig


class Payload(Contract):
    """What one type of event carries. Subclasses name their ``type`` and stand in the closed registry."""

    type: ClassVar[str]

    def domain_payloads(self) -> Iterable[DomainPayload]:
        """The pieces of domain data in this payload, for validation by their registered models."""
        for name in _carriers(type(self)):
            yield from _within(getattr(self, name))


@cache
def _carriers(model: type[Payload]) -> tuple[str, ...]:
    """The fields of ``model`` that may hold domain data, by what their annotation mentions."""
    kinds = ("DomainPayload", "Genome", "Candidate", "RunConfig")
    return tuple(
        name for name, field in model.model_fields.items() if any(kind in repr(field.annotation) for kind in kinds)
    )


def _within(value: object) -> Iterator[DomainPayload]:
    match value:
        case DomainPayload():
            yield value
        case Genome(traits=data) | Candidate(content=data):
            yield data
        case RunConfig(domain_config=data) if data is not None:
            yield data

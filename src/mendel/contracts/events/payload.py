"""The base of event payloads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import ClassVar, Final, get_args

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


_CARRIERS: Final = (DomainPayload, Genome, Candidate, RunConfig)


@cache
def _carriers(model: type[Payload]) -> tuple[str, ...]:
    """The fields of ``model`` that may hold domain data."""
    return tuple(name for name, field in model.model_fields.items() if _may_carry(field.annotation))


def _may_carry(annotation: object) -> bool:
    return annotation in _CARRIERS or any(_may_carry(part) for part in get_args(annotation))


def _within(value: object) -> Iterator[DomainPayload]:
    match value:
        case DomainPayload():
            yield value
        case Genome(traits=data) | Candidate(content=data):
            yield data
        case RunConfig(domain_config=data, parameters=parameters, ancestors=ancestors):
            yield from (each for each in (data, parameters) if each is not None)
            for ancestor in ancestors:
                yield from (ancestor.traits, ancestor.content)

"""Domain payloads: data that belongs to a domain, validated by its model and opaque to the rest of Mendel.

A domain registers a pydantic model under (domain, kind, version). Writing requires the registration, reading does not,
so a log can be replayed without the domain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, get_args

from pydantic import BaseModel, Field, ValidationError

from mendel.contracts.base import Contract, JsonObject, Name
from mendel.contracts.errors import InvalidPayload, PayloadRegisteredTwice, UnknownDomainPayload

Key = tuple[str, str, int]


class DomainPayload(Contract):
    """One item of a domain's data, with the name of its model."""

    domain: Name
    kind: Name
    version: Annotated[int, Field(ge=1)] = 1
    data: JsonObject

    @property
    def key(self) -> Key:
        """The key under which its model is registered."""
        return self.domain, self.kind, self.version


class PayloadRegistry:
    """Models by (domain, kind, version). A key never changes its model."""

    def __init__(self) -> None:
        self._models: dict[Key, type[BaseModel]] = {}

    def __iter__(self) -> Iterator[Key]:
        return iter(sorted(self._models))

    def register(self, domain: str, kind: str, version: int, model: type[BaseModel]) -> None:
        """Register ``model``; registering the same model again is a no-op.

        Raises:
            PayloadRegisteredTwice: another model has this key.
        """
        key = DomainPayload(domain=domain, kind=kind, version=version, data={}).key  # validates the names
        known = self._models.setdefault(key, model)
        if known is not model:
            raise PayloadRegisteredTwice(
                f"{_spell(key)} is already the name of {known.__module__}.{known.__qualname__}; "
                f"give {model.__module__}.{model.__qualname__} another kind or a higher version"
            )

    def check(self, payload: DomainPayload) -> None:
        """Validate ``payload``.

        Raises:
            UnknownDomainPayload: no model is registered under its key in this process.
            InvalidPayload: its data does not fit the registered model.
        """
        self.parse(payload)

    def parse(self, payload: DomainPayload) -> BaseModel:
        """Return ``payload`` as an instance of its model; raises like ``check``."""
        model = self._models.get(payload.key)
        if model is None:
            known = ", ".join(_spell(key) for key in self) or "none"
            raise UnknownDomainPayload(
                f"no model is registered for the domain payload {_spell(payload.key)}; registered: {known}"
            )
        try:
            return model.model_validate(payload.data)
        except ValidationError as error:
            # Without the cause: its traceback would contain the invalid values, possibly secrets (rule 4).
            raise InvalidPayload(f"domain payload {_spell(payload.key)}: {explain(error)}") from None


def explain(error: ValidationError) -> str:
    """Return the first three errors of a validation as text, without the invalid values."""
    complaints = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(map(str, c['loc'])) or 'value'}: {plain(c['msg'])}" for c in complaints[:3]]
    more = len(complaints) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def plain(message: object) -> str:
    """Return a validator's message without pydantic's prefix."""
    return str(message).removeprefix("Value error, ").removeprefix("Assertion failed, ")


def described(error: BaseException) -> str:
    """Return an external exception as text: class and message; a validation error without the invalid values."""
    said = explain(error) if isinstance(error, ValidationError) else str(error)
    return f"{type(error).__name__}: {said}"


def _spell(key: Key) -> str:
    domain, kind, version = key
    return f"{domain}.{kind} v{version}"


def domain_payloads(value: object) -> Iterator[DomainPayload]:
    """Yield all domain data in a contract, at any depth, in the order of the fields.

    The types of the fields are searched, so that no event needs to list its domain data.
    """
    match value:
        case DomainPayload():
            yield value
        case Contract():
            for name in _carriers(type(value)):
                yield from domain_payloads(getattr(value, name))
        case tuple() | list():
            for each in value:
                yield from domain_payloads(each)
        case dict():
            for each in value.values():
                yield from domain_payloads(each)


@cache
def _carriers(model: type[Contract]) -> tuple[str, ...]:
    """Return the fields of ``model`` that may contain domain data."""
    return tuple(name for name, field in model.model_fields.items() if _may_carry(field.annotation))


def _may_carry(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Contract):
        return annotation is DomainPayload or bool(_carriers(annotation))
    return any(_may_carry(part) for part in get_args(annotation))  # unions, tuples, dictionaries


PAYLOADS = PayloadRegistry()
"""The registry of this process; a domain registers its models here when it is loaded."""

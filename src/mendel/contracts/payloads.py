"""Domain payloads: data that a domain owns, validated by the model it registered, opaque to everybody else.

A domain registers a pydantic model under (domain, kind, version). Whoever writes must have it registered; whoever
reads need not, which is why a log replays where the domain is not installed.
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
    """One piece of a domain's data with the name of the model that it fits."""

    domain: Name
    kind: Name
    version: Annotated[int, Field(ge=1)] = 1
    data: JsonObject

    @property
    def key(self) -> Key:
        """What its model is registered under."""
        return self.domain, self.kind, self.version


class PayloadRegistry:
    """Models by (domain, kind, version). Names once taken are never given to another model."""

    def __init__(self) -> None:
        self._models: dict[Key, type[BaseModel]] = {}

    def __iter__(self) -> Iterator[Key]:
        return iter(sorted(self._models))

    def register(self, domain: str, kind: str, version: int, model: type[BaseModel]) -> None:
        """Bind ``model`` to its name; binding the same model again changes nothing.

        Raises:
            PayloadRegisteredTwice: another model has that name.
        """
        key = DomainPayload(domain=domain, kind=kind, version=version, data={}).key
        known = self._models.setdefault(key, model)
        if known is not model:
            raise PayloadRegisteredTwice(
                f"{_spell(key)} is already the name of {known.__module__}.{known.__qualname__}; "
                f"give {model.__module__}.{model.__qualname__} another kind or a higher version"
            )

    def check(self, payload: DomainPayload) -> None:
        """Accept ``payload`` or say why not.

        Raises:
            UnknownDomainPayload: nobody registered its name here.
            InvalidPayload: its data does not fit the registered model.
        """
        self.parse(payload)

    def parse(self, payload: DomainPayload) -> BaseModel:
        """The domain's own model of ``payload``; raises as ``check`` does."""
        model = self._models.get(payload.key)
        if model is None:
            known = ", ".join(_spell(key) for key in self) or "none"
            raise UnknownDomainPayload(
                f"no model is registered for the domain payload {_spell(payload.key)}; registered: {known}"
            )
        try:
            return model.model_validate(payload.data)
        except ValidationError as error:
            # The cause would print the offending values into every trace (rule 4).
            raise InvalidPayload(f"domain payload {_spell(payload.key)}: {explain(error)}") from None


def explain(error: ValidationError) -> str:
    """The first three complaints of a validation, without the values that caused them."""
    complaints = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(map(str, c['loc'])) or 'value'}: {plain(c['msg'])}" for c in complaints[:3]]
    more = len(complaints) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more else "")


def plain(message: object) -> str:
    """What a validator said, without the prefix that pydantic puts before it."""
    return str(message).removeprefix("Value error, ").removeprefix("Assertion failed, ")


def described(error: BaseException) -> str:
    """An error of code that is not ours on one line: its class, and what it says; of a validation without values."""
    said = explain(error) if isinstance(error, ValidationError) else str(error)
    return f"{type(error).__name__}: {said}"


def _spell(key: Key) -> str:
    domain, kind, version = key
    return f"{domain}.{kind} v{version}"


def domain_payloads(value: object) -> Iterator[DomainPayload]:
    """Every piece of domain data in a contract, at any depth, in the order of the fields.

    Found by the types of the fields, so that no event can forget to name what it carries.
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
    """The fields of ``model`` that may hold domain data."""
    return tuple(name for name, field in model.model_fields.items() if _may_carry(field.annotation))


def _may_carry(annotation: object) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Contract):
        return annotation is DomainPayload or bool(_carriers(annotation))
    return any(_may_carry(part) for part in get_args(annotation))


PAYLOADS = PayloadRegistry()
"""The registry of this process; domains register here when they are loaded."""

"""Checks of the values that a user defines for a task; an error names the rule and where it is defined."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from mendel.bench.objectives import parse_objectives
from mendel.contracts.errors import ConfigError
from mendel.contracts.plain_values import spelled
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, as_arguments

Rule = type[Property] | type[MetamorphicRelation] | type[Metric]
LISTS: Final[Mapping[str, Rule]] = {"properties": Property, "relations": MetamorphicRelation, "metrics": Metric}
"""Rules of the gate that may be given several times."""

PLAIN_DATA: Final = "plain data: numbers, texts, lists, tuples, sets, dictionaries, dates"
_LARGEST: Final = 10_000_000  # the limit of a recorded size
_PACKAGE: Final = re.compile(r"[a-z][a-z0-9_]{,63}")
_SHOWN_CHARACTERS: Final = 60


@dataclass(frozen=True)
class Place:
    """Where a task's rules are defined; ``sources`` names the origin of a rule if it is another place."""

    where: str
    sources: Mapping[str, str] = field(default_factory=dict)

    def refusal(self, key: str, told: str) -> ConfigError:
        """Return the error about one rule."""
        source = f" ({self.sources[key]})" if key in self.sources else ""
        return ConfigError(f"{self.where}: {key} {told}{source}")


def checked(found: Mapping[str, object], place: Place) -> dict[str, Any]:
    """Return the values in the form of :class:`OwnRules`.

    Raises:
        ConfigError: a value has the wrong type or range.
    """
    return {key: _CHECKS[key](value, key, place) for key, value in found.items()}


def not_plain(value: object) -> str | None:
    """Return which part of a value is not plain data and so cannot be an input; None if all of it is."""
    try:
        spelled(value)
    except KeyError as error:
        return f"a {error.args[0].__name__}"
    except RecursionError:
        return "something that contains itself, or is nested too deeply"
    return None


def _function(value: object, key: str, place: Place) -> object:
    if not callable(value):
        raise place.refusal(key, f"must be a function, not a {type(value).__name__}")
    return value


def _rules(value: object, key: str, place: Place) -> tuple[object, ...]:
    """Return the rules of a list, or the single rule."""
    return tuple(
        _rule(LISTS[key], each, key, place) for each in (value if isinstance(value, list | tuple) else [value])
    )


def _rule(kind: Rule, value: object, key: str, place: Place) -> object:
    """Return a rule of the gate; a plain function becomes one with its name."""
    if isinstance(value, kind):
        return value
    if not callable(value):
        told = f"holds a {type(value).__name__}, not a {kind.__name__}; expected a list of functions or of these"
        raise place.refusal(key, told)
    name = getattr(value, "__name__", "function")
    if kind is Property:
        return Property(value, name)
    if kind is Metric:
        return Metric(name, lambda output, args: float(value(output, *args)))
    return MetamorphicRelation(name, value)


def _examples(value: object, key: str, place: Place) -> tuple[Args, ...]:
    if not isinstance(value, list | tuple):
        raise _unexpected(value, "a list of arguments, such as [([3, 1], 2), ([], 0)] for f(items, n)", key, place)
    for each in value:
        strange = not_plain(each)
        if strange is not None:
            raise place.refusal(key, f"holds {strange}; inputs are {PLAIN_DATA}")
    return tuple(as_arguments(each) for each in value)


def _seen_sizes(value: object, key: str, place: Place) -> tuple[object, ...]:
    return _sizes(value, key, place, least=0)


def _held_sizes(value: object, key: str, place: Place) -> tuple[object, ...]:
    return _sizes(value, key, place, least=1)


def _sizes(value: object, key: str, place: Place, *, least: int) -> tuple[object, ...]:
    several = tuple(value) if isinstance(value, list | tuple) else ()
    if not several or not all(_is_size(each, least) for each in several):
        wanted = f"a list of one or more whole numbers from {least} to {_LARGEST}, such as [400, 800]"
        raise _unexpected(value, wanted, key, place)
    return several


def _size(value: object, key: str, place: Place) -> object:
    if not _is_size(value, 1):
        raise _unexpected(value, f"a whole number from 1 to {_LARGEST}", key, place)
    return value


def _is_size(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= _LARGEST


def _packages(value: object, key: str, place: Place) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(_is_package(each) for each in value):
        raise _unexpected(value, 'a list of lower-case names that can be imported, such as ["numpy"]', key, place)
    return tuple(value)


def _is_package(value: object) -> bool:
    return isinstance(value, str) and _PACKAGE.fullmatch(value) is not None


def _flag(value: object, key: str, place: Place) -> object:
    if not isinstance(value, bool):
        raise _unexpected(value, "True or False", key, place)
    return value


def _objective(value: object, key: str, place: Place) -> str:
    if not isinstance(value, str):
        raise _unexpected(value, 'a text, such as "speed:2,size:1"', key, place)
    try:
        parse_objectives(value)
    except ConfigError as error:
        raise place.refusal(key, f"is invalid: {error}") from error
    return value


def _unexpected(value: object, wanted: str, key: str, place: Place) -> ConfigError:
    return place.refusal(key, f"is {_shown(value)}; expected {wanted}")


def _shown(value: object) -> str:
    """Return a plain value, truncated; of anything else only the type, since its ``repr`` is code of the user's."""
    if callable(value) or not_plain(value) is not None:
        return f"a {type(value).__name__}"
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


_CHECKS: Final[Mapping[str, Callable[[object, str, Place], object]]] = {
    "generate": _function,
    "examples": _examples,
    "properties": _rules,
    "relations": _rules,
    "metrics": _rules,
    "equivalence": _function,
    "score": _function,
    "oracle": _flag,
    "sizes": _seen_sizes,
    "held_sizes": _held_sizes,
    "timing_size": _size,
    "packages": _packages,
    "objective": _objective,
}
KNOWN: Final = tuple(_CHECKS)
"""The names that a user may define about a task."""

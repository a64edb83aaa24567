"""Tables for commands: ``--set KEY=VALUE``, dotted keys, and merging."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from math import isfinite

from pydantic import JsonValue

from mendel.contracts.errors import ConfigError

Table = dict[str, JsonValue]


def assignments(settings: Iterable[str]) -> Table:
    """Parse ``KEY=VALUE`` texts; a value that is not valid TOML is a plain text."""
    found: Table = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise ConfigError(f"give KEY=VALUE, not {text!r}")
        found[key] = _value(value)
    return found


def _value(text: str) -> JsonValue:
    try:
        value: JsonValue = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text  # no quotes needed for plain words
    return value


def refuse_non_json(value: object, place: Callable[[str], str], key: str = "") -> None:
    """Check that JSON can represent ``value``, found under ``key``; ``place`` returns where a key was set.

    Raises:
        ConfigError: a TOML value has no JSON equivalent, such as nan or a date; the message names the key.
    """
    if isinstance(value, Mapping):
        for name, inner in value.items():
            refuse_non_json(inner, place, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for inner in value:
            refuse_non_json(inner, place, key)
    elif isinstance(value, float) and not isfinite(value):
        raise ConfigError(
            f"{place(key)}: {key}: {value} is not a finite number; give a finite one, or a text in quotes"
        )
    elif isinstance(value, date | time):
        kind = type(value).__name__
        raise ConfigError(f"{place(key)}: {key}: a {kind} is not allowed here; put it in quotes, as a text")


def nested(flat: Mapping[str, JsonValue]) -> Table:
    """Convert dotted keys, as in ``{"caps.max_population": 3}``, to nested tables."""
    table: Table = {}
    for key, value in flat.items():
        place = table
        *path, last = key.split(".")
        for part in path:
            inner = place.setdefault(part, {})
            place = table_at(inner, key)
        place[last] = value
    return table


def table_at(value: JsonValue, name: str) -> Table:
    """Return the value of the key ``name`` as a table; None becomes an empty one.

    Raises:
        ConfigError: the value is not a table.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{name} must be a table, not {type(value).__name__}")
    return value


def merged(under: Table, over: Table) -> Table:
    """Merge two tables recursively; values in ``over`` take precedence."""
    both = dict(under)
    for key, value in over.items():
        before = both.get(key)
        both[key] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return both

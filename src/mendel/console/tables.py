"""Tables as commands take them: ``--set KEY=VALUE``, dotted keys, and one table over another."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date, time
from math import isfinite

from pydantic import JsonValue

from mendel.contracts.errors import ConfigError

Table = dict[str, JsonValue]


def assignments(settings: Iterable[str]) -> Table:
    """``KEY=VALUE`` texts, each value read as TOML, or as a plain text where it is none."""
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
        return text
    return value


def refuse_non_json(value: object, place: Callable[[str], str], key: str = "") -> None:
    """See that JSON can hold all of ``value``, whose key is ``key``; ``place`` says where a key was given.

    Raises:
        ConfigError: TOML can say what JSON cannot, such as nan or a date; the message names the key.
    """
    if isinstance(value, Mapping):
        for name, inner in value.items():
            refuse_non_json(inner, place, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        for inner in value:
            refuse_non_json(inner, place, key)
    elif isinstance(value, float) and not isfinite(value):
        raise ConfigError(
            f"{place(key)}: {key}: {value} is no number that a run can have; give a finite one, or a text in quotes"
        )
    elif isinstance(value, date | time):
        kind = type(value).__name__
        raise ConfigError(f"{place(key)}: {key}: a {kind} is nothing that a run can have; put it in quotes, as a text")


def nested(flat: Mapping[str, JsonValue]) -> Table:
    """``{"caps.max_population": 3}`` as tables within tables."""
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
    """``value``, which stands under ``name``, as a table; an empty one for none.

    Raises:
        ConfigError: it is something else.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{name} is a table, not {type(value).__name__}")
    return value


def merged(under: Table, over: Table) -> Table:
    """Both, table within table; what ``over`` says counts."""
    both = dict(under)
    for key, value in over.items():
        before = both.get(key)
        both[key] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return both

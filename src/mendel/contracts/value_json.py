"""Plain values as JSON and back: JSON types stay as they are, all others become an object with one ``$…`` key.

The command line and reports use this form; a sandbox has a binary protocol of its own. Time zones keep their offset,
but lose their name.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import math
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType
from typing import Any, Final, cast

from pydantic import JsonValue

from mendel.contracts.errors import PayloadUnserialisable
from mendel.contracts.plain_values import NdArray, PlainValue, Record

SAFE_INTEGER: Final = 2**53 - 1
"""Larger integers are written in hexadecimal: many JSON parsers lose digits, and decimal takes quadratic time."""


def to_json(value: PlainValue) -> JsonValue:
    """Return a plain value as JSON.

    Raises:
        PayloadUnserialisable: it is not a plain value.
    """
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise PayloadUnserialisable(f"a {type(value).__name__} is not a plain value")
    return writer(value)


def from_json(data: JsonValue) -> PlainValue:
    """Return the plain value in JSON from :func:`to_json`, or written by a person in the same form.

    Raises:
        PayloadUnserialisable: an object has an unknown ``$…`` key, or a value that does not fit its key.
    """
    if isinstance(data, list):
        return [from_json(item) for item in data]
    if not isinstance(data, dict):
        return data
    names = [name for name in data if name.startswith("$")]
    if not names:
        return {name: from_json(item) for name, item in data.items()}
    if len(data) > 1 or names[0] not in _READERS:
        raise PayloadUnserialisable(f"{names[0]} is no kind of value; known are {', '.join(_READERS)}, each alone")
    try:
        return _READERS[names[0]](cast("Any", data[names[0]]))
    except (ValueError, TypeError, AttributeError, LookupError, InvalidOperation, OverflowError) as error:
        raise PayloadUnserialisable(f"{names[0]} cannot be read: {error}") from error


def _integer(value: int) -> JsonValue:
    return value if abs(value) <= SAFE_INTEGER else {"$int": hex(value)}


def _float(value: float) -> JsonValue:
    return value if math.isfinite(value) else {"$float": str(value)}  # JSON has no nan and no infinity


def _text(value: str) -> JsonValue:
    """Encode text with NUL or lone surrogates, which some readers of the log cannot process."""
    try:
        value.encode()
    except UnicodeEncodeError:
        pass
    else:
        if "\0" not in value:
            return value
    return {"$text": base64.b64encode(value.encode("utf-8", "surrogatepass")).decode()}


def _dict(value: Mapping[object, object]) -> JsonValue:
    # A key with $ would read as a type; other keys than strings need a form of their own.
    plain = all(type(key) is str and not key.startswith("$") and key.isprintable() for key in value)
    if plain:
        return {str(key): to_json(item) for key, item in value.items()}
    return {"$dict": [[to_json(key), to_json(item)] for key, item in value.items()]}


def _many(name: str) -> Callable[[Any], JsonValue]:
    return lambda items: {name: [to_json(item) for item in items]}


def _bytes(name: str) -> Callable[[Any], JsonValue]:
    return lambda data: {name: base64.b64encode(data).decode()}


def _iso(name: str) -> Callable[[Any], JsonValue]:
    return lambda moment: {name: moment.isoformat()}


def _clock(name: str) -> Callable[[Any], JsonValue]:
    """Write a time; one with fold, the second of two equal times when clocks go back, becomes a pair with 1."""
    return lambda moment: {name: [moment.isoformat(), 1] if moment.fold else moment.isoformat()}


def _array(value: NdArray) -> JsonValue:
    return {"$array": [value.dtype, list(value.shape), base64.b64encode(value.data).decode()]}


def _record(value: Record) -> JsonValue:
    return {"$record": [value.name, [[field, to_json(item)] for field, item in value.fields]]}


def _timezone(value: dt.timezone) -> JsonValue:
    return {"$timezone": _delta_parts(value.utcoffset(None))}


def _delta_parts(value: dt.timedelta) -> list[JsonValue]:
    return [value.days, value.seconds, value.microseconds]


_WRITERS: Final[Mapping[type, Callable[[Any], JsonValue]]] = MappingProxyType(
    {
        type(None): lambda value: value,  # exact types: a subclass is not plain
        bool: lambda value: value,
        int: _integer,
        float: _float,
        complex: lambda value: {"$complex": [_float(value.real), _float(value.imag)]},
        str: _text,
        bytes: _bytes("$bytes"),
        bytearray: _bytes("$bytearray"),
        list: lambda value: [to_json(item) for item in value],
        tuple: _many("$tuple"),
        set: _many("$set"),
        frozenset: _many("$frozenset"),
        dict: _dict,
        dt.date: _iso("$date"),
        dt.time: _clock("$time"),
        dt.datetime: _clock("$datetime"),
        dt.timedelta: lambda value: {"$timedelta": _delta_parts(value)},
        dt.timezone: _timezone,
        Decimal: lambda value: {"$decimal": str(value)},
        NdArray: _array,
        Record: _record,
    }
)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(f"not base64: {error}") from error


def _folded(read: Callable[[str], Any], data: Any) -> PlainValue:  # noqa: ANN401 - whatever a person wrote
    return read(data[0]).replace(fold=data[1]) if isinstance(data, list) else read(data)


def _items(data: Any) -> list[PlainValue]:  # noqa: ANN401 - whatever a person wrote
    if not isinstance(data, list):
        raise TypeError("a list is expected")
    return [from_json(item) for item in data]


_READERS: Final[Mapping[str, Callable[[Any], PlainValue]]] = MappingProxyType(
    {
        "$int": lambda data: int(data, 16),
        "$float": float,
        "$complex": lambda data: complex(*cast("list[float]", _items(data))),
        "$text": lambda data: _decoded(data).decode("utf-8", "surrogatepass"),
        "$bytes": _decoded,
        "$bytearray": lambda data: bytearray(_decoded(data)),
        "$tuple": lambda data: tuple(_items(data)),
        "$set": lambda data: set(_items(data)),
        "$frozenset": lambda data: frozenset(_items(data)),
        "$dict": lambda data: {from_json(key): from_json(item) for key, item in data},
        "$date": dt.date.fromisoformat,
        "$time": lambda data: _folded(dt.time.fromisoformat, data),
        "$datetime": lambda data: _folded(dt.datetime.fromisoformat, data),
        "$timedelta": lambda data: dt.timedelta(*data),
        "$timezone": lambda data: dt.timezone(dt.timedelta(*data)),
        "$decimal": Decimal,
        "$array": lambda data: NdArray(str(data[0]), tuple(map(int, data[1])), _decoded(data[2])),
        "$record": lambda data: Record(str(data[0]), tuple((str(name), from_json(item)) for name, item in data[1])),
    }
)

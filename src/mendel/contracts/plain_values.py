"""What may cross the wall of a sandbox: plain data of exactly known types, compared by us and by nobody else.

Python's own plain types cross as themselves: None, bool, int of any size, float, complex, str, bytes, bytearray, list,
tuple, set, frozenset, dict, date, time, datetime, timedelta, timezone, Decimal. Two kinds of value have a stand-in on
this side of the wall, because their classes belong to the other: an array and an instance of a declared dataclass.
"""

from __future__ import annotations

import datetime as dt
import math
import struct
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import NoneType
from typing import Any, cast

PlainValue = object
"""A value of the types above, nested to any depth the codec takes. (A recursive alias would say no more to mypy.)"""


@dataclass(frozen=True, slots=True)
class NdArray:
    """An array by its buffer: NumPy's name of the element type, the shape, and the elements in C order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """An instance of a dataclass whose shape was declared: the class's name and its fields in the declared order."""

    name: str
    fields: tuple[tuple[str, PlainValue], ...]


def identical(left: PlainValue, right: PlainValue) -> bool:
    """Whether two values are the same in type and content.

    ``nan`` is ``nan``, ``1`` is neither ``1.0`` nor ``True``, ``Decimal("1.0")`` not ``Decimal("1.00")``, and noon in
    one time zone is not the same moment in another. Nothing that a program chose is hashed or compared by its own
    rules, so the time it takes grows with the size of the values and no faster.
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, _COMPARED_AS_THEY_ARE):
        return left == right
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(identical, left, right))
    return spelled(left) == spelled(right)


_COMPARED_AS_THEY_ARE = (bool, int, str, bytes, bytearray, NoneType)


def spelled(value: PlainValue) -> bytes:
    """A value as bytes that are equal for identical values only."""
    content = _SPELLERS[type(value)](value)
    return b"%s %d:%s" % (type(value).__name__.encode(), len(content), content)


def _spelled_float(value: float) -> bytes:
    return b"nan" if math.isnan(value) else struct.pack("<d", value)  # which nan it is, no program means to say


def _spelled_int(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)


def _spelled_text(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _spelled_items(items: Sequence[PlainValue]) -> bytes:
    """Items of one machine type as one buffer: a million numbers cost what a few calls do."""
    kinds = set(map(type, items))
    if kinds == {float} and not any(map(math.isnan, cast("Sequence[float]", items))):
        return b"d" + array("d", cast("Sequence[float]", items)).tobytes()
    return b"".join(map(spelled, items))


def _spelled_members(members: Iterable[PlainValue]) -> bytes:
    return b"".join(sorted(map(spelled, members)))


def _spelled_dict(mapping: Mapping[PlainValue, PlainValue]) -> bytes:
    return b"".join(sorted(spelled(key) + spelled(value) for key, value in mapping.items()))


def _spelled_time(value: dt.time | dt.datetime) -> bytes:
    naive = value.replace(tzinfo=None).isoformat()
    zone = None if value.tzinfo is None else (value.utcoffset(), value.tzname())
    return f"{naive} {value.fold} {zone!r}".encode("utf-8", "surrogatepass")


def _spelled_array(value: NdArray) -> bytes:
    return _spelled_items((value.dtype, value.shape, value.data))


def _spelled_record(value: Record) -> bytes:
    return _spelled_items((value.name, value.fields))


_SPELLERS: Mapping[type, Callable[[Any], bytes]] = {
    NoneType: lambda _: b"",
    bool: lambda value: b"1" if value else b"0",
    int: _spelled_int,
    float: _spelled_float,
    complex: lambda value: _spelled_float(value.real) + _spelled_float(value.imag),
    str: _spelled_text,
    bytes: lambda value: value,
    bytearray: bytes,
    list: _spelled_items,
    tuple: _spelled_items,
    set: _spelled_members,
    frozenset: _spelled_members,
    dict: _spelled_dict,
    dt.date: lambda value: value.isoformat().encode(),
    dt.time: _spelled_time,
    dt.datetime: _spelled_time,
    dt.timedelta: lambda value: repr(value).encode(),
    dt.timezone: lambda value: repr((value.utcoffset(None), value.tzname(None))).encode("utf-8", "surrogatepass"),
    Decimal: lambda value: str(value).encode(),
    NdArray: _spelled_array,
    Record: _spelled_record,
}

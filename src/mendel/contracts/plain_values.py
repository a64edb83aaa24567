"""Values that may enter or leave a sandbox: plain data of exactly known types, compared by Mendel's own rules only.

Python's built-in plain types pass unchanged: None, bool, int of any size, float, complex, str, bytes, bytearray, list,
tuple, set, frozenset, dict, date, time, datetime, timedelta, timezone, Decimal. Outside the sandbox, a stand-in class
represents an array or an instance of a declared dataclass, because their classes exist in the program only.
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
"""A value of the types above, nested as deeply as the codec allows. (A recursive alias would not help mypy.)"""


@dataclass(frozen=True, slots=True)
class NdArray:
    """An array: NumPy's name of the element type, the shape, and the elements in C order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Record:
    """An instance of a declared dataclass: the class name, and the fields in declared order."""

    name: str
    fields: tuple[tuple[str, PlainValue], ...]


def identical(left: PlainValue, right: PlainValue) -> bool:
    """Return whether two values are equal in type and content.

    ``nan`` equals ``nan``. ``1`` differs from ``1.0`` and ``True``, ``Decimal("1.0")`` from ``Decimal("1.00")``, and a
    time in one zone from the same moment in another. Values chosen by a program are never hashed, nor compared by
    their own methods, so the time grows with their size and no faster.
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
    """Return an encoding of a value as bytes, which are equal only for identical values."""
    content = _SPELLERS[type(value)](value)
    # With the length, so that concatenated encodings are unambiguous.
    return b"%s %d:%s" % (type(value).__name__.encode(), len(content), content)


def _spelled_float(value: float) -> bytes:
    return b"nan" if math.isnan(value) else struct.pack("<d", value)  # all nan are one value


def _spelled_int(value: int) -> bytes:
    return value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)  # + 1 leaves room for the sign


def _spelled_text(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _spelled_items(items: Sequence[PlainValue]) -> bytes:
    """Encode items; floats without nan become one buffer, so that a million of them take only a few calls."""
    kinds = set(map(type, items))
    if kinds == {float} and not any(map(math.isnan, cast("Sequence[float]", items))):
        return b"d" + array("d", cast("Sequence[float]", items)).tobytes()
    return b"".join(map(spelled, items))


def _spelled_members(members: Iterable[PlainValue]) -> bytes:
    return b"".join(sorted(map(spelled, members)))  # the order of a set depends on hashes


def _spelled_dict(mapping: Mapping[PlainValue, PlainValue]) -> bytes:
    return b"".join(sorted(spelled(key) + spelled(value) for key, value in mapping.items()))


def _spelled_time(value: dt.time | dt.datetime) -> bytes:
    naive = value.replace(tzinfo=None).isoformat()  # == would treat one moment in two zones as equal
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

"""What may cross the wall of a sandbox: plain data of exactly known types, compared by us and by nobody else.

Python's own plain types cross as themselves: None, bool, int of any size, float, complex, str, bytes, bytearray, list,
tuple, set, frozenset, dict, date, time, datetime, timedelta, timezone, Decimal. Two kinds of value have a stand-in on
this side of the wall, because their classes belong to the other: an array and an instance of a declared dataclass.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

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
    """Whether two values are the same in type and content: ``nan`` is itself, ``1`` is neither ``1.0`` nor ``True``."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return _bits(left) == _bits(right)
    if isinstance(left, complex) and isinstance(right, complex):
        return _bits(left.real) == _bits(right.real) and _bits(left.imag) == _bits(right.imag)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(identical, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return _same_items(left, right)
    if isinstance(left, set | frozenset) and isinstance(right, set | frozenset):
        return _same_members(left, right)
    if isinstance(left, Record) and isinstance(right, Record):
        return left.name == right.name and identical(left.fields, right.fields)
    return left == right


def _bits(number: object) -> bytes:
    return struct.pack("<d", number)


def _same_items(left: Mapping[object, object], right: Mapping[object, object]) -> bool:
    """Keys pair by equality first, so that ``{1: …}`` and ``{True: …}`` meet and are told apart."""
    return _same_members(left.keys(), right.keys()) and all(
        identical(value, right[key]) for key, value in left.items() if not _is_nan(key)
    )


def _same_members(left: AbstractSet[object], right: AbstractSet[object]) -> bool:
    if len(left) != len(right):
        return False
    own = {member: member for member in right if not _is_nan(member)}
    strangers = sum(1 for member in left if not _is_nan(member) and not identical(member, own.get(member, _Nothing)))
    return strangers == 0 and sum(map(_is_nan, left)) == sum(map(_is_nan, right))


class _Nothing:
    """Identical to no plain value."""


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and value != value


def depth_of(value: PlainValue) -> int:
    """How deep a value nests; 1 for a number. Not recursive, so that it answers for any value."""
    deepest, waiting = 0, [(value, 1)]
    while waiting:
        current, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting.extend((part, depth + 1) for part in _parts(current))
    return deepest


def _parts(value: PlainValue) -> Sequence[PlainValue]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return list(value)
    if isinstance(value, Record):
        return [content for _, content in value.fields]
    return ()

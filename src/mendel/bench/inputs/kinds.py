"""The kinds of an argument, as a tree that can be written as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from mendel.contracts.base import Contract, Count

Rows = Literal["free", "rectangular", "square", "ragged"]
"""Row lengths of a list of lists. ``free``: unknown, so all rows are equally long unless the shape is ragged."""

Moment = Literal["date", "datetime", "time", "timedelta"]


class IntKind(Contract):
    """A whole number, between ``low`` and ``high`` if these are known."""

    kind: Literal["int"] = "int"
    low: int | None = None
    high: int | None = None


class FloatKind(Contract):
    """A number, between ``low`` and ``high`` if these are known."""

    kind: Literal["float"] = "float"
    low: float | None = None
    high: float | None = None


class PlainKind(Contract):
    """A value that its type describes completely."""

    kind: Literal["bool", "none", "complex", "decimal"]


class TextKind(Contract):
    """Text over ``alphabet``, or over letters if that is empty."""

    kind: Literal["str"] = "str"
    alphabet: str = ""
    least: Count = 0
    most: Count | None = None


class BytesKind(Contract):
    """Bytes, or a bytearray."""

    kind: Literal["bytes", "bytearray"] = "bytes"
    least: Count = 0
    most: Count | None = None


class MomentKind(Contract):
    """A date, a date with time, a time of day or a time span; without a time zone."""

    kind: Moment


class LiteralKind(Contract):
    """One of some values, in the JSON of ``mendel.contracts.value_json``."""

    kind: Literal["literal"] = "literal"
    values: tuple[JsonValue, ...] = Field(min_length=1)


class ManyKind(Contract):
    """Any number of values of one kind; ``sequence`` is a tuple of any length.

    ``rows`` only matters for lists of lists. ``ascending``: the values are always in order.
    """

    kind: Literal["list", "sequence", "set", "frozenset"] = "list"
    of: Kind
    least: Count = 0
    most: Count | None = None
    rows: Rows = "free"
    ascending: bool = False


class TupleKind(Contract):
    """A fixed number of values, each of its own kind."""

    kind: Literal["tuple"] = "tuple"
    items: tuple[Kind, ...]


class DictKind(Contract):
    """A dictionary. ``graph``: its keys are nodes that lead to other keys."""

    kind: Literal["dict"] = "dict"
    keys: Kind
    values: Kind
    least: Count = 0
    most: Count | None = None
    graph: bool = False


class FieldKind(Contract):
    """A named part of a record or of a dictionary with known keys."""

    name: str
    of: Kind
    required: bool = True


class RecordKind(Contract):
    """An instance of a dataclass of the user's file, or (``typed_dict``) a dictionary with known keys."""

    kind: Literal["record", "typed_dict"]
    name: str
    fields: tuple[FieldKind, ...]


class UnionKind(Contract):
    """A value of one of the kinds."""

    kind: Literal["union"] = "union"
    options: tuple[Kind, ...] = Field(min_length=1)


class ArrayKind(Contract):
    """A NumPy array with the given number of dimensions."""

    kind: Literal["array"] = "array"
    dtype: str = "float64"
    dimensions: int = Field(default=1, ge=1, le=3)


Kind = Annotated[
    IntKind
    | FloatKind
    | PlainKind
    | TextKind
    | BytesKind
    | MomentKind
    | LiteralKind
    | ManyKind
    | TupleKind
    | DictKind
    | RecordKind
    | UnionKind
    | ArrayKind,
    Field(discriminator="kind"),
]

for _model in (ManyKind, TupleKind, DictKind, FieldKind, RecordKind, UnionKind):
    _model.model_rebuild()

NONE = PlainKind(kind="none")
BOOL = PlainKind(kind="bool")
SIZED = (TextKind, BytesKind, ManyKind, DictKind, ArrayKind)
"""Kinds of values with a variable length."""


def inside(kind: Kind) -> Iterator[Kind]:
    """Yield the kind and every kind in it."""
    yield kind
    for child in _children(kind):
        yield from inside(child)


def _children(kind: Kind) -> tuple[Kind, ...]:
    if isinstance(kind, ManyKind):
        return (kind.of,)
    if isinstance(kind, TupleKind):
        return kind.items
    if isinstance(kind, DictKind):
        return (kind.keys, kind.values)
    if isinstance(kind, RecordKind):
        return tuple(field.of for field in kind.fields)
    return kind.options if isinstance(kind, UnionKind) else ()


def sized_part(kind: Kind) -> Kind | None:
    """Return the kind itself, or the first option of a union, whichever has values with a length; else None."""
    options = kind.options if isinstance(kind, UnionKind) else (kind,)
    return next((option for option in options if isinstance(option, SIZED)), None)


def outer_parts(kind: Kind) -> Iterator[Kind]:
    """Yield the kinds with a length that are not inside another one: those that a draw's size applies to."""
    if isinstance(kind, SIZED):
        yield kind
    else:
        for child in _children(kind):
            yield from outer_parts(child)


def is_matrix(kind: Kind | None) -> bool:
    """Whether values are lists of lists."""
    return (
        isinstance(kind, ManyKind) and kind.kind == "list" and isinstance(kind.of, ManyKind) and kind.of.kind == "list"
    )


def alike(left: Kind, right: Kind) -> bool:
    """Whether two kinds are of the same type, ignoring their ranges."""
    if type(left) is not type(right) or left.kind != right.kind:
        return False
    mine, theirs = _children(left), _children(right)
    return len(mine) == len(theirs) and all(map(alike, mine, theirs))

"""What an argument may be, as a tree that JSON can carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from mendel.contracts.base import Contract, Count

Rows = Literal["free", "rectangular", "square", "ragged"]
"""How long the rows of a list of lists are. ``free``: nobody said; all the same unless ragged ones are asked for."""

Moment = Literal["date", "datetime", "time", "timedelta"]


class IntKind(Contract):
    """A whole number, between ``low`` and ``high`` where these are known."""

    kind: Literal["int"] = "int"
    low: int | None = None
    high: int | None = None


class FloatKind(Contract):
    """A number, between ``low`` and ``high`` where these are known."""

    kind: Literal["float"] = "float"
    low: float | None = None
    high: float | None = None


class PlainKind(Contract):
    """A value about which its type says everything."""

    kind: Literal["bool", "none", "complex", "decimal"]


class TextKind(Contract):
    """Text over ``alphabet``, or over letters where that is empty."""

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
    """A day, a moment, a time of day or a span; without a time zone."""

    kind: Moment


class LiteralKind(Contract):
    """One of some values, in the JSON of ``mendel.contracts.value_json``."""

    kind: Literal["literal"] = "literal"
    values: tuple[JsonValue, ...] = Field(min_length=1)


class ManyKind(Contract):
    """Any number of values of one kind; ``sequence`` is a tuple of any length.

    ``rows`` matters for lists of lists only. ``ascending``: the values are always in order.
    """

    kind: Literal["list", "sequence", "set", "frozenset"] = "list"
    of: Kind
    least: Count = 0
    most: Count | None = None
    rows: Rows = "free"
    ascending: bool = False


class TupleKind(Contract):
    """So many values, each of its own kind."""

    kind: Literal["tuple"] = "tuple"
    items: tuple[Kind, ...]


class DictKind(Contract):
    """A dictionary. ``graph``: its keys are nodes, and what they lead to are keys again."""

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
    """An array of NumPy's, with so many dimensions."""

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
"""Kinds whose values have a length that somebody may choose."""


def inside(kind: Kind) -> Iterator[Kind]:
    """The kind and every kind in it."""
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
    """The kind itself, or the first option of a union, whose values have a length."""
    options = kind.options if isinstance(kind, UnionKind) else (kind,)
    return next((option for option in options if isinstance(option, SIZED)), None)


def outer_parts(kind: Kind) -> Iterator[Kind]:
    """The kinds with a length that are not inside of another with one: what a draw's size speaks of."""
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
    """Whether two kinds are of the same type, whatever is known of their ranges."""
    if type(left) is not type(right) or left.kind != right.kind:
        return False
    mine, theirs = _children(left), _children(right)
    return len(mine) == len(theirs) and all(map(alike, mine, theirs))

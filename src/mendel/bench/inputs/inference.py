"""The kind of observed values, from which similar ones can be made."""

from __future__ import annotations

import datetime as dt
import math
import string
from collections.abc import Callable, Sequence
from decimal import Decimal
from types import NoneType
from typing import Any, Final, Literal

from mendel.bench.inputs.annotations import union
from mendel.bench.inputs.graphs import edges_of
from mendel.bench.inputs.kinds import (
    BOOL,
    NONE,
    BytesKind,
    DictKind,
    FieldKind,
    FloatKind,
    IntKind,
    Kind,
    ManyKind,
    MomentKind,
    PlainKind,
    RecordKind,
    Rows,
    TextKind,
    TupleKind,
)
from mendel.contracts.errors import NoInputs

_LEAST_REACH: Final = 1_000
_MOST_REACH: Final = 2**53 - 1  # the largest range in which a float holds every whole number
_ENOUGH: Final = 8
"""Number of observed values that justifies a narrow range."""

_SMALL_ALPHABET: Final = 6
_LONGEST_TUPLE: Final = 6
_CLASSES: Final = (string.ascii_lowercase, string.ascii_uppercase, string.digits)


def kind_of(values: Sequence[object]) -> Kind:
    """Return the common kind of all these values; whole numbers if there are none.

    Raises:
        NoInputs: a value is not plain data.
    """
    by_type: dict[type, list[Any]] = {}
    for value in values:
        by_type.setdefault(type(value), []).append(value)
    unknown = [each.__name__ for each in by_type if each not in _READERS]
    if unknown:
        raise NoInputs(f"an example has a {unknown[0]}, which cannot cross into the sandbox")
    return union(*(_READERS[each](seen) for each, seen in by_type.items())) if by_type else IntKind()


def _integers(values: list[int]) -> Kind:
    low, high = min(values), max(values)
    if len(values) >= _ENOUGH and low >= 0 and high <= 1:  # flags
        return IntKind(low=0, high=1)
    reach = min(_MOST_REACH, max(_LEAST_REACH, 2 * high, -2 * low))
    return IntKind(low=-reach if low < 0 else min(low, 1), high=reach)


def _floats(values: list[float]) -> Kind:
    finite = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(finite), max(finite)
    if len(finite) >= _ENOUGH and low >= 0 and high <= 1:
        return FloatKind(low=0.0, high=1.0)
    reach = min(1e300, max(float(_LEAST_REACH), 2 * high, -2 * low))
    return FloatKind(low=-reach if low < 0 else 0.0, high=reach)


def _texts(values: list[str]) -> Kind:
    """Infer an alphabet from a few frequent characters (bases, brackets); else any letter of the same class will do."""
    seen = sorted({character for value in values for character in value if _storable(character)})
    narrow = len(seen) <= _SMALL_ALPHABET and sum(map(len, values)) >= _ENOUGH
    wide = set(seen) if narrow else {each for one in seen for each in next((c for c in _CLASSES if one in c), one)}
    return TextKind(alphabet="".join(sorted(wide)), most=None)


def _storable(character: str) -> bool:
    return character != "\0" and not 0xD800 <= ord(character) <= 0xDFFF  # neither NUL nor half of a surrogate pair


def _lists(values: list[list[object]]) -> Kind:
    of = kind_of([item for value in values for item in value])
    return ManyKind(of=of, rows=_rows(values) if isinstance(of, ManyKind) and of.kind == "list" else "free")


def _rows(matrices: list[list[Any]]) -> Rows:
    """Return how the lengths of rows related, where there were several."""
    telling = [matrix for matrix in matrices if len(matrix) > 1]
    if any(len({len(row) for row in matrix}) > 1 for matrix in telling):
        return "ragged"
    if len(telling) > 1 and all(len(matrix) == len(matrix[0]) for matrix in telling):
        return "square"
    return "rectangular" if telling else "free"


def _tuples(values: list[tuple[object, ...]]) -> Kind:
    lengths = {len(value) for value in values}
    if len(lengths) == 1 and max(lengths) <= _LONGEST_TUPLE:
        return TupleKind(items=tuple(kind_of(column) for column in zip(*values, strict=True)))
    return ManyKind(kind="sequence", of=kind_of([item for value in values for item in value]))


def _members(kind: Literal["set", "frozenset"]) -> Callable[[list[Any]], Kind]:
    # Sorted by their text, since the order of a set differs between processes.
    return lambda values: ManyKind(
        kind=kind, of=kind_of([item for value in values for item in sorted(value, key=repr)])
    )


def _dicts(values: list[dict[Any, Any]]) -> Kind:
    names = {tuple(sorted(value)) for value in values} if _all_text(values) else set()
    if len(values) > 1 and len(names) == 1 and next(iter(names)):
        fields = [FieldKind(name=name, of=kind_of([value[name] for value in values])) for name in next(iter(names))]
        return RecordKind(kind="typed_dict", name="dict", fields=tuple(fields))
    kind = DictKind(
        keys=kind_of([key for value in values for key in value]),
        values=kind_of([item for value in values for item in value.values()]),
    )
    return kind.model_copy(update={"graph": all(_is_graph(kind, value) for value in values)})


def _all_text(values: list[dict[Any, Any]]) -> bool:
    return all(isinstance(key, str) for value in values for key in value)


def _is_graph(kind: DictKind, value: dict[Any, Any]) -> bool:
    """Whether every key leads to keys only."""
    edges = edges_of(kind)
    if edges is None:
        return False
    ends = [end[0] if edges == "pairs" else end for ends in value.values() for end in ends]
    return all(end in value for end in ends)


_READERS: Final[dict[type, Callable[[list[Any]], Kind]]] = {
    NoneType: lambda _: NONE,
    bool: lambda _: BOOL,
    int: _integers,
    float: _floats,
    complex: lambda _: PlainKind(kind="complex"),
    Decimal: lambda _: PlainKind(kind="decimal"),
    str: _texts,
    bytes: lambda _: BytesKind(),
    bytearray: lambda _: BytesKind(kind="bytearray"),
    list: _lists,
    tuple: _tuples,
    set: _members("set"),
    frozenset: _members("frozenset"),
    dict: _dicts,
    dt.date: lambda _: MomentKind(kind="date"),
    dt.datetime: lambda _: MomentKind(kind="datetime"),
    dt.time: lambda _: MomentKind(kind="time"),
    dt.timedelta: lambda _: MomentKind(kind="timedelta"),
}

"""A value of a kind, with the size and shape of a draw.

On the outside (level 0) a collection is as long as the size; collections inside others are short, so that the work
stays near the size. Lists of lists are the exception: rows and columns are both as many as the size, up to
``MOST_CELLS`` in all. Ragged ones have about as many cells as the size.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any, Final

from mendel.bench.inputs import kinds, scalars
from mendel.bench.inputs.arranging import arranged, ascending, filled
from mendel.bench.inputs.graph_values import graph
from mendel.bench.inputs.hand import DISTINCT, Hand
from mendel.bench.inputs.kinds import NONE, Kind, is_matrix
from mendel.contracts.plain_values import NdArray, Record

MOST_CELLS: Final = 250_000
_TRIES: Final = 20  # duplicates, plus two per wanted value, before a kind counts as exhausted
_DEPTH: Final = 3
"""Length of lists in the cells of a matrix."""

_PACKED: Final = {"float64": "d", "float32": "f", "int64": "q", "int32": "i", "uint8": "B", "bool": "?"}


def value(kind: Kind, hand: Hand, level: int = 0) -> Any:  # noqa: ANN401 - any type that a kind may describe
    """Return a value of the kind."""
    return _MAKERS[type(kind)](kind, hand, level)


def matrix(kind: kinds.ManyKind, hand: Hand, rows: int, columns: int) -> list[list[Any]]:
    """Return a list of ``rows`` lists, each with ``columns`` values."""
    cell = kind.of.of if isinstance(kind.of, kinds.ManyKind) else kind.of
    ragged = kind.rows == "ragged" or hand.shape == "ragged"
    if isinstance(cell, kinds.ManyKind) and cell.kind == "list" and not ragged and not cell.least and cell.most is None:
        cell = cell.model_copy(update={"least": _DEPTH, "most": _DEPTH})
    return [_items(cell, hand, columns, 2) for _ in range(rows)]


def _integer(kind: kinds.IntKind, hand: Hand, level: int) -> int:
    return scalars.counting(kind, hand) if hand.counted and level == 0 else scalars.integer(kind, hand)


def _text(kind: kinds.TextKind, hand: Hand, level: int) -> str:
    alphabet = hand.alphabet(kind)
    shape = hand.shape if level == 0 else "random"
    items = filled(shape, hand.length(kind, level), hand.dice, lambda: hand.dice.pick(alphabet))
    return "".join(arranged(shape, items, hand.dice))


def _bytes(kind: kinds.BytesKind, hand: Hand, level: int) -> bytes | bytearray:
    most = hand.dice.pick((2, 16, 256))
    shape = hand.shape if level == 0 else "random"
    items: list[int] = filled(shape, hand.length(kind, level), hand.dice, lambda: hand.dice.below(most))
    items = arranged(shape, items, hand.dice)
    data = bytes(items)
    return bytearray(data) if kind.kind == "bytearray" else data


def _many(kind: kinds.ManyKind, hand: Hand, level: int) -> Any:  # noqa: ANN401 - a list, a tuple or a set
    if is_matrix(kind):
        return _rows(kind, hand, level)
    length = hand.length(kind, level)
    if kind.kind in ("set", "frozenset"):
        members = distinct(kind.of, hand, length, level + 1)
        return set(members) if kind.kind == "set" else frozenset(members)
    items = _items(kind.of, hand, length, level + 1)
    items = ascending(items) if kind.ascending else items
    return items if kind.kind == "list" else tuple(items)


def _items(kind: Kind, hand: Hand, length: int, level: int) -> list[Any]:
    if hand.shape == DISTINCT and isinstance(kind, kinds.IntKind | kinds.FloatKind | kinds.TextKind):
        different = distinct(kind, hand, length, level)
        # A kind with fewer values than wanted repeats some of them.
        return different + [value(kind, hand, level) for _ in range(length - len(different))]
    items = filled(hand.shape, length, hand.dice, lambda: value(kind, hand, level))
    if hand.shape == "nan" and items and isinstance(kind, kinds.FloatKind) and kind.low is None and kind.high is None:
        items[hand.dice.below(length)] = hand.dice.pick(scalars.SPECIALS)
    return arranged(hand.shape, items, hand.dice)


def _rows(kind: kinds.ManyKind, hand: Hand, level: int) -> list[list[Any]]:
    if level:
        return matrix(kind, hand, 3, 3)
    side = max(kind.least, min(hand.wanted, math.isqrt(MOST_CELLS)))
    if kind.rows == "ragged" or (hand.shape == "ragged" and kind.rows == "free"):
        return _ragged(kind, hand, hand.wanted)
    if hand.shape == "oblong" and kind.rows != "square" and side > 1:
        other = hand.dice.between(1, side - 1)
        return matrix(kind, hand, side, other) if hand.dice.chance(0.5) else matrix(kind, hand, other, side)
    return matrix(kind, hand, side, side)


def _ragged(kind: kinds.ManyKind, hand: Hand, cells: int) -> list[list[Any]]:
    rows: list[list[Any]] = []
    usual = max(1, math.isqrt(cells))
    while cells > 0:
        length = min(cells, hand.dice.between(0, 2 * usual))
        rows += matrix(kind, hand, 1, length)
        cells -= max(1, length)
    return rows


def distinct(kind: Kind, hand: Hand, length: int, level: int) -> list[Any]:
    """Return up to ``length`` different values; fewer if the kind does not have as many."""
    found: dict[object, object] = {}
    misses, most = 0, _TRIES + 2 * length
    while len(found) < length and misses < most:
        made = _spread(kind, hand, length, level, misses)
        misses += made in found
        found.setdefault(made, made)
    return list(found.values())


def _spread(kind: Kind, hand: Hand, length: int, level: int, misses: int) -> Any:  # noqa: ANN401 - any hashable type
    """Return a value from a range wide enough for this many different ones; otherwise the shape decides."""
    if isinstance(kind, kinds.IntKind):
        return scalars.integer(kind, hand, max(scalars.USUAL, 4 * length))
    if isinstance(kind, kinds.TextKind) and kind.most is None:
        longer = 1 + misses * 8 // (length + 1) + length.bit_length() // 2
        alphabet = hand.alphabet(kind)
        return "".join(hand.dice.pick(alphabet) for _ in range(hand.dice.between(1, longer + 4)))
    return value(kind, hand, level)


def _tuple(kind: kinds.TupleKind, hand: Hand, level: int) -> tuple[Any, ...]:
    return tuple(value(item, hand, level) for item in kind.items)


def _dict(kind: kinds.DictKind, hand: Hand, level: int) -> dict[Any, Any]:
    length = hand.length(kind, level)
    if kind.graph and isinstance(kind.keys, kinds.IntKind):
        low = kind.keys.low or 0
        nodes: list[Any] = hand.dice.shuffled(range(low, low + length))
        return graph(kind, hand, nodes, lambda weight: value(weight, hand, level + 2))
    keys = distinct(kind.keys, hand, length, level + 1)
    if kind.graph:
        return graph(kind, hand, keys, lambda weight: value(weight, hand, level + 2))
    keys = arranged(hand.shape, keys, hand.dice)
    return dict(zip(keys, _items(kind.values, hand, len(keys), level + 1), strict=True))


def _record(kind: kinds.RecordKind, hand: Hand, level: int) -> Record | dict[str, Any]:
    given = [field for field in kind.fields if field.required or hand.dice.chance(0.5)]
    made = [(field.name, value(field.of, hand, level)) for field in given]
    return Record(kind.name, tuple(made)) if kind.kind == "record" else dict(made)


def _union(kind: kinds.UnionKind, hand: Hand, level: int) -> Any:  # noqa: ANN401 - any type that a kind may describe
    others = [option for option in kind.options if option != NONE]
    if len(others) < len(kind.options) and (not others or hand.dice.chance(0.15)):  # None is one option, but a rare one
        return None
    return value(hand.dice.pick(others), hand, level)


def _array(kind: kinds.ArrayKind, hand: Hand, level: int) -> NdArray:
    most = round(MOST_CELLS ** (1 / kind.dimensions))
    side = min(hand.wanted, most) if level == 0 else 3
    if kind.dimensions == 1 and level == 0:
        side = hand.wanted
    cells: list[Any] = _items(_cell(kind.dtype), hand, side**kind.dimensions, 1)
    data = struct.pack(f"<{len(cells)}{_PACKED[kind.dtype]}", *cells)
    return NdArray(kind.dtype, (side,) * kind.dimensions, data)


def _cell(dtype: str) -> Kind:
    if dtype.startswith("float"):
        return kinds.FloatKind() if dtype == "float64" else kinds.FloatKind(low=-1e3, high=1e3)
    if dtype == "bool":
        return kinds.PlainKind(kind="bool")
    return kinds.IntKind(low=0, high=255) if dtype == "uint8" else kinds.IntKind(low=-(2**31), high=2**31 - 1)


_MAKERS: Final[dict[type, Callable[..., Any]]] = {
    kinds.IntKind: _integer,
    kinds.FloatKind: lambda kind, hand, _: scalars.number(kind, hand),
    kinds.PlainKind: lambda kind, hand, _: scalars.plain(kind, hand),
    kinds.TextKind: _text,
    kinds.BytesKind: _bytes,
    kinds.MomentKind: lambda kind, hand, _: scalars.moment(kind, hand),
    kinds.LiteralKind: lambda kind, hand, _: scalars.literal(kind, hand),
    kinds.ManyKind: _many,
    kinds.TupleKind: _tuple,
    kinds.DictKind: _dict,
    kinds.RecordKind: _record,
    kinds.UnionKind: _union,
    kinds.ArrayKind: _array,
}

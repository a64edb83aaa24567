"""Likely ties between arguments, from their types and names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mendel.bench.inputs.kinds import (
    BytesKind,
    DictKind,
    IntKind,
    Kind,
    ManyKind,
    TextKind,
    TupleKind,
    alike,
    is_matrix,
    sized_part,
)
from mendel.bench.inputs.plan import Parameter, Relation, Tie

_PATTERNS: Final = frozenset(
    [
        "pattern",
        "needle",
        "sub",
        "substring",
        "substr",
        "word",
        "query",
        "pat",
        "prefix",
        "suffix",
        "term",
        "separator",
        "sep",
        "delimiter",
    ]
)
_COUNTS: Final = frozenset(
    ["k", "n", "count", "number", "size", "width", "window", "limit", "top", "length", "steps", "amount"]
)
_INDICES: Final = frozenset(
    ["i", "j", "index", "idx", "pos", "position", "offset", "start", "stop", "end", "at", "rank"]
)


def likely(parameters: Sequence[Parameter]) -> tuple[Relation, ...]:
    """Return the ties that types and names suggest; each argument has at most one."""
    found: list[Relation] = []
    for to, parameter in enumerate(parameters):
        relation = next(_ties_of(parameters, to, parameter), None)
        if relation is not None:
            found.append(relation)
    return tuple(found)


def _ties_of(parameters: Sequence[Parameter], to: int, parameter: Parameter) -> Iterator[Relation]:
    """Yield the ties of one argument to others: a scalar's to any collection, a collection's to earlier ones."""
    for of, other in enumerate(parameters):
        tie = _tie(other, parameter, before=of < to) if of != to else None
        if tie is not None:
            yield Relation(tie=tie, of=of, to=to)


def _tie(other: Parameter, mine: Parameter, *, before: bool) -> Tie | None:
    collection, kind = sized_part(other.of), mine.of
    if sized_part(kind) is None or _is_member(collection, kind):
        edges = isinstance(kind, IntKind) and is_edge_list(other)
        return None if collection is None or edges else _scalar_tie(collection, kind, mine.name)
    if isinstance(kind, TextKind) and isinstance(other.of, TextKind):
        return _text_tie(other.name, mine.name, before=before)
    if isinstance(other.of, IntKind) and is_edge_list(mine):
        return "nodes"
    return _sizes_tie(collection, sized_part(kind)) if before else None


def _is_member(collection: Kind | None, kind: Kind) -> bool:
    if isinstance(collection, DictKind):
        return alike(collection.keys, kind)
    return isinstance(collection, ManyKind) and alike(collection.of, kind)


def _scalar_tie(collection: Kind, kind: Kind, name: str) -> Tie | None:
    if isinstance(collection, DictKind) and _is_member(collection, kind):
        return "key"
    if isinstance(kind, IntKind) and name.lower() in _COUNTS:
        return "count"
    if isinstance(kind, IntKind) and name.lower() in _INDICES:
        return "index"
    if _is_member(collection, kind):
        return "element"
    return "count" if isinstance(kind, IntKind) else None


def _text_tie(other: str, mine: str, *, before: bool) -> Tie | None:
    """Tie a pattern to the text that contains it; two texts without such names share parts."""
    if mine.lower() in _PATTERNS and other.lower() not in _PATTERNS:
        return "pattern"
    if other.lower() in _PATTERNS and mine.lower() not in _PATTERNS:
        return None
    return "variant" if before else None


def _sizes_tie(left: Kind | None, right: Kind | None) -> Tie | None:
    if is_matrix(left) and is_matrix(right):
        return "same_shape"
    if isinstance(left, BytesKind) and isinstance(right, BytesKind):
        return "variant"
    if isinstance(left, ManyKind) and isinstance(right, ManyKind) and "list" == left.kind == right.kind:
        return "same_length"
    return None


def is_edge_list(parameter: Parameter) -> bool:
    """Whether it is named like edges and is a list of pairs of whole numbers, or of pairs with a weight."""
    kind = parameter.of
    named = any(word in parameter.name.lower() for word in ("edge", "link", "arc"))
    if not named or not isinstance(kind, ManyKind) or kind.kind != "list" or not isinstance(kind.of, TupleKind):
        return False
    return len(kind.of.items) in (2, 3) and all(isinstance(item, IntKind) for item in kind.of.items[:2])

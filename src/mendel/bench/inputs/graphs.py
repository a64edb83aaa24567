"""Dictionaries that are graphs: each key leads to other keys."""

from __future__ import annotations

from typing import Literal

from mendel.bench.inputs.kinds import (
    DictKind,
    IntKind,
    Kind,
    ManyKind,
    RecordKind,
    TextKind,
    TupleKind,
    UnionKind,
    alike,
)

Edges = Literal["weights", "neighbours", "pairs"]
"""The notations ``{a: {b: 3}}``, ``{a: [b]}`` and ``{a: [(b, 3)]}``."""


def edges_of(kind: DictKind) -> Edges | None:
    """Return the notation of edges that fits the dictionary's kind; None if it cannot be a graph."""
    keys, values = kind.keys, kind.values
    if not isinstance(keys, IntKind | TextKind):
        return None
    if isinstance(values, DictKind) and alike(values.keys, keys):
        return "weights"
    if not isinstance(values, ManyKind):
        return None
    if alike(values.of, keys):
        return "neighbours"
    pair = values.of
    is_pair = isinstance(pair, TupleKind) and len(pair.items) == 2 and alike(pair.items[0], keys)
    return "pairs" if is_pair else None


def with_graphs(kind: Kind) -> Kind:
    """Return the kind with every dictionary that may be a graph marked as one."""
    if isinstance(kind, DictKind):
        return kind.model_copy(update={"graph": edges_of(kind) is not None, "values": with_graphs(kind.values)})
    if isinstance(kind, ManyKind):
        return kind.model_copy(update={"of": with_graphs(kind.of)})
    if isinstance(kind, TupleKind):
        return kind.model_copy(update={"items": tuple(map(with_graphs, kind.items))})
    if isinstance(kind, UnionKind):
        return kind.model_copy(update={"options": tuple(map(with_graphs, kind.options))})
    if isinstance(kind, RecordKind):
        fields = [field.model_copy(update={"of": with_graphs(field.of)}) for field in kind.fields]
        return kind.model_copy(update={"fields": tuple(fields)})
    return kind

"""Graphs as dictionaries: every node is a key, and every edge ends in a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mendel.bench.inputs.graphs import edges_of
from mendel.bench.inputs.hand import Hand
from mendel.bench.inputs.kinds import DictKind, FloatKind, IntKind, Kind, ManyKind, TupleKind

Weight = Callable[[Kind], Any]
Pairs = Iterator[tuple[int, int]]


def graph(kind: DictKind, hand: Hand, nodes: Sequence[Any], make: Weight) -> dict[Any, Any]:
    """Return a graph over the nodes, with about three edges each; most algorithms require its non-negative weights."""
    found: dict[Any, dict[Any, Any]] = {node: {} for node in nodes}
    both_ways = hand.dice.chance(0.5)  # an undirected graph
    for left, right in _edges(hand, len(nodes)):
        one, other = nodes[left], nodes[right]
        if left == right or other in found[one]:  # neither loops nor double edges
            continue
        weight = _weight(kind, hand, make)
        found[one][other] = weight
        if both_ways:
            found[other][one] = weight
    return {node: _written(kind, ends) for node, ends in found.items()}


def _written(kind: DictKind, ends: dict[Any, Any]) -> Any:  # noqa: ANN401 - one of three forms
    form, values = edges_of(kind), kind.values
    if form == "weights" or not isinstance(values, ManyKind):
        return ends
    items = list(ends.items()) if form == "pairs" else list(ends)
    if values.kind == "list":
        return items
    return tuple(items) if values.kind == "sequence" else set(items) if values.kind == "set" else frozenset(items)


def _weight(kind: DictKind, hand: Hand, make: Weight) -> Any:  # noqa: ANN401 - whatever weights are
    values = kind.values
    weight = values.values if isinstance(values, DictKind) else values.of if isinstance(values, ManyKind) else None
    weight = weight.items[1] if isinstance(weight, TupleKind) and edges_of(kind) == "pairs" else weight
    if weight is None or edges_of(kind) == "neighbours":
        return None
    if isinstance(weight, IntKind | FloatKind):
        return _number(weight, hand)
    return make(weight)


def _number(kind: IntKind | FloatKind, hand: Hand) -> float:
    few = hand.shape in ("few_distinct", "equal")
    most = 1 if hand.shape == "equal" else 3 if few else 2**40 if hand.shape == "huge" else 100
    low = max(1 if isinstance(kind, IntKind) else 0, int(kind.low or 0))
    high = max(low, min(most, int(kind.high)) if kind.high is not None else most)
    whole = hand.dice.between(low, high)
    if isinstance(kind, IntKind):
        return whole
    return float(whole) if few else round(min(whole + hand.dice.unit(), float(high)), 3)


def _edges(hand: Hand, count: int) -> Pairs:
    if hand.shape in ("sorted", "nearly_sorted", "reversed"):
        yield from _path(count, backwards=hand.shape == "reversed")
        extra = 0 if hand.shape != "nearly_sorted" else count // 2
    elif hand.shape == "organ_pipe":
        yield from ((0, node) for node in range(1, count))
        extra = 0
    else:
        # Each node gets an edge from an earlier one, mostly, so that the graph has one large component.
        yield from ((hand.dice.below(node), node) for node in range(1, count) if hand.dice.chance(0.9))
        extra = 2 * count
    for _ in range(extra if count > 1 else 0):
        yield hand.dice.below(count), hand.dice.below(count)


def _path(count: int, *, backwards: bool) -> Pairs:
    steps = ((node, node + 1) for node in range(count - 1))
    return ((right, left) for left, right in steps) if backwards else steps

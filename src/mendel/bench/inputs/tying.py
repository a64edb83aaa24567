"""Ties between arguments made true: an index into a list, a pattern in a text, a second matrix of the right shape."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, Final

from mendel.bench.inputs.hand import Hand
from mendel.bench.inputs.kinds import IntKind, ManyKind, sized_part
from mendel.bench.inputs.plan import InputPlan, Relation, Tie
from mendel.bench.inputs.values import matrix
from mendel.contracts.plain_values import spelled

OFTEN: Final = 0.75  # not always, so that the case without a match comes up too
_SHORT: Final = 8


def tied(plan: InputPlan, args: list[Any], hand: Hand) -> list[Any]:
    """Return the arguments with the plan's ties made true: always, or often."""
    for relation in plan.relations:
        if (
            max(relation.of, relation.to) < len(args)
            and args[relation.to] is not None
            and args[relation.of] is not None
        ):
            _TIERS[relation.tie](plan, args, relation, hand)
    return args


def _holds(relation: Relation, hand: Hand) -> bool:
    return relation.always or hand.dice.chance(OFTEN)


def _length(value: Any) -> int:  # noqa: ANN401 - whatever has a length; an array by its first dimension
    return int(value.shape[0]) if hasattr(value, "shape") else len(value)


def _index(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    """Draw an index, sometimes one beyond the end unless the tie always holds."""
    length = _length(args[relation.of])
    high = length - 1 if relation.always or hand.dice.chance(0.95) else length  # rarely out of range
    args[relation.to] = _clipped(plan, relation, hand.dice.between(0, max(0, high)))


def _count(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    length = _length(args[relation.of])
    high = length if relation.always or hand.dice.chance(0.95) else length + 2  # rarely too large
    small = hand.dice.chance(0.3)  # small and large counts, in a mix
    args[relation.to] = _clipped(plan, relation, hand.dice.between(0, min(high, 3) if small else high))


def _clipped(plan: InputPlan, relation: Relation, number: int) -> int:
    kind = plan.parameters[relation.to].of
    if not isinstance(kind, IntKind):
        return number
    number = number if kind.low is None else max(number, kind.low)
    return number if kind.high is None else min(number, kind.high)


def _element(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    """Pick an element; whole numbers may also be meant as places, so both come up."""
    collection = args[relation.of]
    if not relation.always and isinstance(plan.parameters[relation.to].of, IntKind) and hand.dice.chance(0.25):
        _count(plan, args, relation, hand)
    elif isinstance(collection, list | tuple | set | frozenset) and collection:
        picked = copy.deepcopy(hand.dice.pick(_in_order(collection)))
        if isinstance(picked, list):  # a row of a matrix, or one as long
            args[relation.to] = picked if hand.dice.chance(0.3) else hand.dice.shuffled(picked)
        elif _holds(relation, hand):
            args[relation.to] = picked


def _in_order(collection: Any) -> list[Any]:  # noqa: ANN401 - of anything
    return sorted(collection, key=spelled) if isinstance(collection, set | frozenset) else list(collection)  # stable


def _key(_plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    mapping = args[relation.of]
    if mapping and isinstance(mapping, dict) and (relation.always or hand.dice.chance(0.95)):
        args[relation.to] = hand.dice.pick(list(mapping))


def _pattern(_plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    """Take a part of the text, sometimes a long one, or something short that the text may not contain."""
    text, dice = args[relation.of], hand.dice
    if _holds(relation, hand) and text:
        longest = len(text) // 2 if dice.chance(0.1) else _SHORT
        length = dice.between(1, max(1, min(longest, len(text))))
        start = dice.between(0, len(text) - length)
        args[relation.to] = text[start : start + length]
    else:
        args[relation.to] = args[relation.to][:_SHORT]


def _variant(_plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    """Mix pieces of both texts."""
    model, own = args[relation.of], args[relation.to]
    if not _holds(relation, hand) or not model or not own or type(model) is not type(own):
        return
    pieces, at = [], 0
    while at < len(own):
        step = hand.dice.between(1, max(2, len(own) // 4))
        source = model if hand.dice.chance(0.7) else own
        pieces.append((source[at : at + step] or own[at : at + step])[: len(own) - at])
        at += step
    args[relation.to] = type(own)().join(pieces)


def _same_length(_plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    wanted, own = len(args[relation.of]), args[relation.to]
    if relation.always and len(own) != wanted:
        args[relation.to] = [hand.dice.pick(own) for _ in range(wanted)] if own else []
    elif not relation.always and hand.shape == "uneven" and len(own) > 1:
        args[relation.to] = own[: hand.dice.between(1, len(own) - 1)]


def _same_shape(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    rows, columns = _dimensions(args[relation.of])
    _fitted(plan, args, relation, hand, rows, columns)


def _product(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    rows, columns = _dimensions(args[relation.of])
    oblong = hand.shape == "oblong" and rows
    _fitted(plan, args, relation, hand, columns, hand.dice.between(1, max(rows, columns)) if oblong else rows)


def _dimensions(value: Any) -> tuple[int, int]:  # noqa: ANN401 - a list of lists
    return len(value), len(value[0]) if value else 0


def _fitted(plan: InputPlan, args: list[Any], relation: Relation, hand: Hand, rows: int, columns: int) -> None:
    kind = sized_part(plan.parameters[relation.to].of)
    if _dimensions(args[relation.to]) != (rows, columns) and isinstance(kind, ManyKind):
        args[relation.to] = matrix(kind, hand, rows, columns)


def _nodes(_plan: InputPlan, args: list[Any], relation: Relation, hand: Hand) -> None:
    """Draw edges between nodes 0 … n-1, with about half as many nodes as edges; weights are not negative."""
    count = max(1, hand.dice.between(len(args[relation.to]) // 3, len(args[relation.to])))
    args[relation.of] = count
    args[relation.to] = [_edge(edge, count, hand) for edge in args[relation.to]]


def _edge(edge: tuple[Any, ...], count: int, hand: Hand) -> tuple[Any, ...]:
    left = hand.dice.below(count)
    right = (left + hand.dice.between(1, max(1, count - 1))) % count  # not a loop, unless there is a single node
    return (left, right, *(abs(weight) if isinstance(weight, int | float) else weight for weight in edge[2:]))


_TIERS: Final[dict[Tie, Callable[[InputPlan, list[Any], Relation, Hand], None]]] = {
    "index": _index,
    "count": _count,
    "element": _element,
    "key": _key,
    "pattern": _pattern,
    "variant": _variant,
    "same_length": _same_length,
    "same_shape": _same_shape,
    "product": _product,
    "nodes": _nodes,
}

"""Repetition and order of the values in a collection: the building blocks of shapes."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any, TypeVar

from mendel.bench.inputs.dice import Dice

T = TypeVar("T")


def filled(shape: str, length: int, dice: Dice, make: Callable[[], T]) -> list[T]:
    """Return ``length`` values: independent ones, all equal ones, a few repeated ones, or runs of equal ones."""
    if shape == "equal":
        return _repeated([make()] if length else [], [0] * length)
    if shape == "few_distinct":
        pool = [make() for _ in range(min(length, dice.between(2, 2 + math.isqrt(length) // 2)))]
        return _repeated(pool, [dice.below(len(pool)) for _ in range(length)])
    if shape == "runs":
        return _in_runs(length, dice, make)
    return [make() for _ in range(length)]


def _in_runs(length: int, dice: Dice, make: Callable[[], T]) -> list[T]:
    found: list[T] = []
    while len(found) < length:
        run = dice.between(1, max(2, math.isqrt(length)))
        found += _repeated([make()], [0] * min(run, length - len(found)))
    return found


def _repeated(pool: list[T], places: list[int]) -> list[T]:
    """Return the pool's values at these places; mutable ones are copied, so that no two items share an object."""
    changeable = any(isinstance(value, list | set | dict | bytearray) for value in pool)
    return [copy.deepcopy(pool[place]) if changeable else pool[place] for place in places]


def arranged(shape: str, items: list[T], dice: Dice) -> list[T]:
    """Return the items in the order of the shape; unchanged if the shape has no order."""
    if shape not in ("sorted", "reversed", "nearly_sorted", "organ_pipe"):
        return items
    in_order = ascending(items)
    if shape == "reversed":
        return in_order[::-1]
    if shape == "organ_pipe":
        return in_order[::2] + in_order[1::2][::-1]  # up to the largest and down again
    return _disturbed(in_order, dice) if shape == "nearly_sorted" else in_order


def ascending(items: list[Any]) -> list[Any]:
    """Return the items in ascending order; unchanged if they cannot be compared."""
    try:
        return sorted(items)
    except TypeError:
        return items


def _disturbed(items: list[T], dice: Dice) -> list[T]:
    for _ in range(1 + len(items) // 20 if len(items) > 1 else 0):  # about a tenth of the items changes places
        left, right = dice.below(len(items)), dice.below(len(items))
        items[left], items[right] = items[right], items[left]
    return items

"""Recognition of adversarial inputs, which only the gate may see."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from mendel.bench.inputs.drawing import draw
from mendel.bench.inputs.kinds import Kind, ManyKind, TextKind, inside, sized_part
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.shapes import usable_shapes
from mendel.contracts.plain_values import NdArray, Record
from mendel.guard.spec import Args

_TELLING: Final = 4
"""Sequences shorter than this are too often in order by chance."""

_LONG: Final = 8  # steps: up and then down is likely by chance in shorter sequences
_HUGE: Final = 2**63
_HUGE_FLOAT: Final = 1e12


def fixed_inputs(plan: InputPlan) -> list[Args]:
    """Return the adversarial inputs that do not depend on a draw: the empty ones."""
    if plan.scalar or not usable_shapes(plan, ("empty",)):
        return []
    drawn = [draw(plan, size=0, shape="empty", seed=0, index=index) for index in range(4)]  # optional arguments vary
    return [args for args in drawn if is_adversarial(plan, args)]


def is_adversarial(plan: InputPlan, args: Args) -> bool:
    """Whether an input has a held-out shape, as far as it is not one by chance.

    For an argument as large as the input: empty, single, in order, all equal, up and then down, all negative. For any
    value: huge, unicode, nan. A property that the plan itself always requires (order, characters) does not count.
    """
    small = plan.small
    for place, (parameter, value) in enumerate(zip(plan.parameters, args, strict=False)):
        if place not in small and sized_part(parameter.of) is not None and _is_shaped(parameter.of, value):
            return True
    if plan.counted and any(type(value) is int and value < 0 for value in args):  # a negative amount of work
        return True
    letters = {each.alphabet for one in plan.parameters for each in inside(one.of) if isinstance(each, TextKind)}
    return any(_extreme(leaf, letters) for leaf in _leaves(args))


def _is_shaped(kind: Kind, value: Any) -> bool:  # noqa: ANN401 - any plain value
    if isinstance(value, NdArray):
        return math.prod(value.shape) < 2
    if value is None or not hasattr(value, "__len__"):
        return False
    if len(value) < 2:
        return True
    ordered = isinstance(kind, ManyKind) and kind.ascending
    return not ordered and isinstance(value, list | tuple | str | bytes | bytearray) and _monotonous(value)


def _monotonous(value: Sequence[Any]) -> bool:
    """Whether a sequence is in ascending or descending order, all equal, up and then down, or all negative."""
    if len(value) < _TELLING:
        return False
    try:
        steps = [right >= left for left, right in pairwise(value)]
        falls = [right <= left for left, right in pairwise(value)]
    except TypeError:
        return False
    negative = isinstance(value[0], int | float) and all(each < 0 for each in value)
    return all(steps) or all(falls) or negative or _up_and_down(steps, falls)


def _up_and_down(steps: list[bool], falls: list[bool]) -> bool:
    top = next((place for place, step in enumerate(steps) if not step), len(steps))
    return len(steps) >= _LONG and all(falls[top:])


def _leaves(value: Any) -> Iterator[Any]:  # noqa: ANN401 - any plain value
    if isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves((key, item))
    elif isinstance(value, Record):
        yield from _leaves(tuple(item for _, item in value.fields))
    elif not isinstance(value, NdArray):
        yield value


def _extreme(leaf: object, alphabets: set[str]) -> bool:
    if isinstance(leaf, float):
        return not abs(leaf) < _HUGE_FLOAT  # true for nan, which is not smaller than anything
    if isinstance(leaf, int):
        return abs(leaf) >= _HUGE
    return isinstance(leaf, str) and not leaf.isascii() and "" in alphabets

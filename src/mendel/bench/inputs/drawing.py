"""One input of a plan: a function of its key, its size and its shape, the same in every process."""

from __future__ import annotations

from typing import Any

from mendel.bench.inputs.dice import Dice
from mendel.bench.inputs.hand import Hand
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.tying import tied
from mendel.bench.inputs.values import value
from mendel.guard.spec import Args


def draw(plan: InputPlan, *, size: int, shape: str, seed: int, index: int) -> Args:
    """Input ``index`` of ``seed``, with about ``size`` elements and of that shape.

    Every argument that has a length is as long as the size, what is inside of others is short, and a list of lists has
    as many rows and columns as the size (see ``values``). Where no argument has a length, whole numbers are at most the
    size and not negative. Shapes that make no sense for the plan draw as ``random`` does.
    """
    return drawn(plan, size, shape, Dice("draw", seed, index, size, shape))


def drawn(plan: InputPlan, size: int, shape: str, dice: Dice, *, defaults: bool = False) -> Args:
    """An input of these dice; with ``defaults`` no argument is given that has one."""
    hand = Hand(dice, max(0, size), shape, plan.counted)
    needed = needed_arguments(plan)
    given = needed if defaults else _given(plan, needed, dice)
    small = plan.small
    parameters = enumerate(plan.parameters[:given])
    args: list[Any] = [value(parameter.of, hand, int(place in small)) for place, parameter in parameters]
    return tuple(tied(plan, args, hand))


def needed_arguments(plan: InputPlan) -> int:
    """How many arguments have no default."""
    return sum(not parameter.optional for parameter in plan.parameters)


def _given(plan: InputPlan, needed: int, dice: Dice) -> int:
    """How many arguments: all, or only those without a default, or something between."""
    everything = len(plan.parameters)
    if needed == everything or dice.chance(0.5):
        return needed
    return dice.between(needed, everything)

"""A single input of a plan, determined by its key, size and shape, and the same in every process."""

from __future__ import annotations

from typing import Any

from mendel.bench.inputs.dice import Dice
from mendel.bench.inputs.hand import Hand
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.tying import tied
from mendel.bench.inputs.values import value
from mendel.guard.spec import Args


def draw(plan: InputPlan, *, size: int, shape: str, seed: int, index: int) -> Args:
    """Return input ``index`` of ``seed``, with about ``size`` elements and that shape.

    Every argument with a length is as long as the size, collections inside others are short, and a list of lists has
    as many rows and columns as the size (see ``values``). If no argument has a length, whole numbers are from 0 to the
    size. A shape that does not apply to the plan is drawn as ``random``.
    """
    return drawn(plan, size, shape, Dice("draw", seed, index, size, shape))


def drawn(plan: InputPlan, size: int, shape: str, dice: Dice, *, defaults: bool = False) -> Args:
    """Return an input drawn with these dice; ``defaults`` leaves out every argument that has a default."""
    hand = Hand(dice, max(0, size), shape, plan.counted)
    needed = needed_arguments(plan)
    given = needed if defaults else _given(plan, needed, dice)
    small = plan.small
    parameters = enumerate(plan.parameters[:given])
    args: list[Any] = [value(parameter.of, hand, int(place in small)) for place, parameter in parameters]
    return tuple(tied(plan, args, hand))


def needed_arguments(plan: InputPlan) -> int:
    """Return the number of arguments without a default."""
    return sum(not parameter.optional for parameter in plan.parameters)


def _given(plan: InputPlan, needed: int, dice: Dice) -> int:
    """Draw the number of arguments: all, only those without a default, or a number in between."""
    everything = len(plan.parameters)
    if needed == everything or dice.chance(0.5):
        return needed
    return dice.between(needed, everything)

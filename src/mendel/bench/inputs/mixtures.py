"""The mixtures of inputs: for breeding, for the gate alone, and for timing.

The dice of each mixture have their own key, so seeds of different mixtures draw the same input only by chance. In
addition, the gate's draws are compared with the inputs that breeding has seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from mendel.bench.inputs.adversarial import fixed_inputs, is_adversarial
from mendel.bench.inputs.dice import Dice
from mendel.bench.inputs.drawing import drawn
from mendel.bench.inputs.hand import DISTINCT, TIMED
from mendel.bench.inputs.plan import InputPlan
from mendel.bench.inputs.shapes import HELD_SHAPES, SEEN_SHAPES, usable_shapes
from mendel.bench.inputs.strategies import hypothesis_inputs
from mendel.contracts.errors import SpecFailed
from mendel.contracts.plain_values import spelled
from mendel.guard.spec import Args

_TRIES: Final = 30
"""After this many known inputs in a row, the plan is considered exhausted."""

_HELD_SHARE: Final = 0.45  # share of the gate's inputs with a held-out shape
_LARGE_SHARE: Final = 0.3  # share of the others with the largest size
_MOST_BY_HYPOTHESIS: Final = 40


def seen_inputs(
    plan: InputPlan,
    *,
    sizes: Sequence[int],
    n: int,
    seed: int,
    examples: Sequence[Args] = (),
    shapes: Sequence[str] = SEEN_SHAPES,
) -> list[Args]:
    """Return ``n`` different inputs that breeding may see; fewer only if the plan does not have as many.

    The user's examples come first, then small inputs by Hypothesis (at most a quarter), then our own of every size and
    shape. Except for the examples, none is larger than the largest size, because the original may not handle it, and
    none has a held-out shape. Of the examples, only the gate's fixed inputs, such as ``([],)``, are left out.
    """
    fixed = {spelled(each) for each in fixed_inputs(plan)}
    pool = _Pool(n)
    for example in examples:
        pool.add(example, allowed=spelled(example) not in fixed)
    small = min(n // 4, _MOST_BY_HYPOTHESIS)
    largest = max(sizes, default=0)
    for args in _by_hypothesis(plan, small, seed):
        pool.add(args, allowed=not is_adversarial(plan, args) and _extent(plan, args) <= largest)
    pool.fill(_sized(plan, sizes, usable_shapes(plan, shapes), seed), lambda args: not is_adversarial(plan, args))
    return pool.inputs


def _extent(plan: InputPlan, args: Args) -> int:
    """Return how large an input is, in the sense of sizes."""
    numbers = (value for value in args if plan.counted and type(value) is int)
    return max([*(len(value) for value in args if isinstance(value, Sized)), *numbers], default=0)


def timing_inputs(plan: InputPlan, *, size: int, n: int, seed: int, held: bool) -> list[Args]:
    """Return ``n`` different inputs of exactly that size, of ordinary shape and without arguments that have a default.

    In every second input nothing occurs twice, to reveal costs that only grow as long as nothing repeats.

    Whole numbers that alone make an input large are between nine tenths of the size and the size, or smaller if there
    are too few such numbers. ``held`` uses another key. Fewer inputs only if the plan has no more.
    """
    pool = _Pool(n)
    key = "held timing" if held else "seen timing"
    shapes = zip(itertools.count(), itertools.cycle((TIMED, DISTINCT)), strict=False)
    pool.fill(drawn(plan, size, shape, Dice(key, seed, size, index), defaults=True) for index, shape in shapes)
    smaller = (drawn(plan, size, "random", Dice(key, seed, size, "any", at), defaults=True) for at in itertools.count())
    pool.fill(smaller)  # if the plan has too few inputs of that size
    return pool.inputs


def held_out_generator(
    plan: InputPlan,
    *,
    sizes: Sequence[int],
    seen_examples: Sequence[Args],
    shapes: Sequence[str] = HELD_SHAPES,
) -> HeldOut:
    """Return the gate's inputs, as a task's ``gen_inputs``: a mix of held-out shapes, larger sizes and ordinary ones.

    None of them is in ``seen_examples``, unless the plan has almost no others. Leave out ``shapes`` that the original
    cannot answer.
    """
    return HeldOut(plan, tuple(sizes), tuple(seen_examples), usable_shapes(plan, shapes))


@dataclass(frozen=True)
class HeldOut:
    """A function of a number and a seed. Input ``i`` depends on the seed and ``i`` alone."""

    plan: InputPlan
    sizes: tuple[int, ...]
    seen: tuple[Args, ...]
    shapes: tuple[str, ...]

    def __call__(self, n: int, seed: int) -> list[Args]:
        """Return the first ``n`` inputs of ``seed``."""
        return [self._one(seed, index) for index in range(n)]

    @cached_property
    def _spelled(self) -> frozenset[bytes]:
        return frozenset(map(spelled, self.seen))

    @cached_property
    def _ordinary(self) -> tuple[str, ...]:
        return usable_shapes(self.plan, SEEN_SHAPES)

    def _one(self, seed: int, index: int) -> Args:
        made: Args = ()
        for attempt in range(_TRIES):
            made = self._drawn(Dice("held", seed, index, attempt))
            if spelled(made) not in self._spelled:
                break
        return made

    def _drawn(self, dice: Dice) -> Args:
        largest = max(self.sizes, default=1)
        if self.shapes and dice.chance(_HELD_SHARE):
            return drawn(self.plan, dice.between(2, max(2, largest)), dice.pick(self.shapes), dice)
        size = largest if dice.chance(_LARGE_SHARE) else dice.between(1, max(1, largest))
        return drawn(self.plan, size, dice.pick(self._ordinary), dice)


class _Pool:
    """Up to ``most`` inputs, each once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[bytes, Args] = {}

    @property
    def inputs(self) -> list[Args]:
        return list(self._found.values())

    def add(self, args: Args, *, allowed: bool = True) -> bool:
        """Add an input; return whether it is new."""
        key = spelled(args)
        if not allowed or key in self._found or len(self._found) >= self._most:
            return False
        self._found[key] = args
        return True

    def fill(self, source: Iterator[Args], allowed: Callable[[Args], bool] = lambda _: True) -> None:
        """Add inputs until there are enough, or no new ones come any more."""
        misses = 0
        while len(self._found) < self._most and misses < _TRIES:
            args = next(source)
            misses = 0 if self.add(args, allowed=allowed(args)) else misses + 1


def _by_hypothesis(plan: InputPlan, n: int, seed: int) -> list[Args]:
    """Return inputs by Hypothesis; empty if it finds none, since our own are enough then."""
    if n < 1:
        return []
    try:
        return hypothesis_inputs(plan, n, seed)
    except SpecFailed:
        return []


def _sized(plan: InputPlan, sizes: Sequence[int], shapes: Sequence[str], seed: int) -> Iterator[Args]:
    """Yield every size with every shape in turn; every second input is smaller than its size."""
    for index in itertools.count():
        dice = Dice("seen", seed, index)
        size = sizes[index % len(sizes)] if sizes else 8
        size = dice.between(2, max(2, size)) if index % 2 else size
        yield drawn(plan, size, shapes[index // max(1, len(sizes)) % len(shapes)], dice)

"""``solve(values, shares)``: the quantiles of the values, one for every share in [0, 1].

Quantiles are interpolated linearly: of n sorted values, share p is at index p * (n - 1).
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, Final

from mendel.guard.equivalence import close
from mendel.guard.generators import arguments, floats, lists
from mendel.guard.registry import task
from mendel.guard.spec import Args, MetamorphicRelation, Property, TaskSpec

_MOST_VALUES: Final = 1_500
_MOST_SHARES: Final = 30
_LARGEST: Final = 1e6

Floats = list[float]
_nearly = close(relative=1e-9, absolute=1e-6)


@task("quantiles")
def quantiles() -> TaskSpec:
    """Build the task; outputs are equivalent up to rounding, since interpolation can be computed in several ways."""
    return TaskSpec(
        name="quantiles",
        gen_inputs=arguments(lists(floats(-_LARGEST, _LARGEST), _MOST_VALUES, 1), lists(floats(0, 1), _MOST_SHARES)),
        properties=(
            Property(_one_each, "one number for each share"),
            Property(_within, "none is outside of the values"),
            Property(_monotone, "a larger share has no smaller quantile"),
            Property(_ends, "shares 0 and 1 are the least and the largest value"),
        ),
        relations=(
            MetamorphicRelation("shuffled", _shuffled, accepts_rng=True, category="permutation"),
            MetamorphicRelation("doubled", _doubled, _all_doubled, category="scale"),
            MetamorphicRelation("mirrored", _mirrored, _all_mirrored, category="symmetry"),
            MetamorphicRelation("a larger value", _with_larger, "properties_hold", category="extension"),
        ),
        equivalence=_nearly,
        fmt_in=_shown_input,
        valid=_valid,
    )


def _valid(*args: Any) -> bool:  # noqa: ANN401 - shrinking tries anything
    if len(args) != 2 or not all(isinstance(arg, list) and all(type(each) is float for each in arg) for arg in args):
        return False
    values, shares = args
    return bool(values) and all(abs(value) <= 4 * _LARGEST for value in values) and all(0 <= p <= 1 for p in shares)


def _one_each(output: object, _values: Floats, shares: Floats) -> bool:
    return isinstance(output, list) and len(output) == len(shares) and all(type(each) is float for each in output)


def _within(output: Floats, values: Floats, _shares: Floats) -> bool:
    slack = 1e-9 * _LARGEST  # for rounding in the interpolation
    return all(min(values) - slack <= each <= max(values) + slack for each in output)


def _monotone(output: Floats, _values: Floats, shares: Floats) -> bool:
    in_order = [found for _, found in sorted(zip(shares, output, strict=False))]
    return all(left <= right + 1e-9 * _LARGEST for left, right in pairwise(in_order))


def _ends(output: Floats, values: Floats, shares: Floats) -> bool:
    ends = {0.0: min(values), 1.0: max(values)}
    return all(_nearly(found, ends[p]) for p, found in zip(shares, output, strict=False) if p in ends)


def _shuffled(values: Floats, shares: Floats, *, rng: random.Random) -> Args:
    return rng.sample(values, len(values)), list(shares)


def _doubled(values: Floats, shares: Floats) -> Args:
    return [2 * value for value in values], list(shares)


def _all_doubled(before: Floats, after: Floats) -> bool:
    return bool(_nearly([2 * each for each in before], after))


def _mirrored(values: Floats, shares: Floats) -> Args:
    return [-value for value in values], [1 - share for share in shares]


def _all_mirrored(before: Floats, after: Floats, args: Args, _transformed: Args) -> bool:
    """Compare with a tolerance: rounding of 1 - p moves the index, which is multiplied by the gap between values."""
    gap = 1e-9 * (1 + max(args[0]) - min(args[0]))
    return len(before) == len(after) and all(
        abs(left + right) <= gap for left, right in zip(before, after, strict=True)
    )


def _with_larger(values: Floats, shares: Floats) -> Args:
    return [*values, max(values) + 1.0], list(shares)


def _shown_input(args: Args) -> str:
    values, shares = args
    return f"{len(values):,} values {values[:10]}{' …' if values[10:] else ''}, shares {shares}"

"""Bounds on a median from the order of the values alone: valid at any size and any alpha, for every distribution.

That at least so many of the values lie above the median is no likelier than as many heads of a fair coin. So the value
with that many above or at it is a bound. Values that are alike are no difficulty: a value that equals a hypothesis
never speaks against it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Final

import numpy as np

from mendel.guard.statistics.means import Values, check_alpha, checked
from mendel.guard.statistics.samples import Bounds
from mendel.guard.statistics.special import binomial_tail

MOST_COUNTED: Final = 4_000
_LEAST_SUMMED: Final = 1e-290
"""Below, a sum of floats has no digits."""
_UNSURE: Final = 1e-7
"""More than a sum errs by, as a share of it."""


def median_bounds(values: Values, alpha: float) -> Bounds:
    """The medians that a sign test of error ``alpha`` does not refute, from below and from above.

    Fewer than -log2(``alpha``) values refute none, and both bounds are infinite.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), there are no values, or one is not finite.
    """
    ordered = np.sort(checked(values))
    heads = fewest_heads(ordered.size, alpha)
    estimate = float(np.median(ordered))
    if heads > ordered.size:
        return Bounds(estimate, -inf, inf)
    return Bounds(estimate, float(ordered[ordered.size - heads]), float(ordered[heads - 1]))


@lru_cache(maxsize=1_024)
def fewest_heads(tosses: int, alpha: float) -> int:
    """The fewest heads that a fair coin shows with a chance of ``alpha`` at most.

    They are counted without rounding; of more than ``MOST_COUNTED`` tosses their chance is summed instead, and heads
    whose chance is too close to ``alpha`` to be told from it are taken for likelier. One more than there are tosses
    where even as many heads as these are likelier.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), or ``tosses`` is negative.
    """
    check_alpha(alpha)
    if tosses < 0:
        raise ValueError(f"a coin is not tossed {tosses} times")
    return _counted(tosses, alpha) if tosses <= MOST_COUNTED or alpha < _LEAST_SUMMED else _summed(tosses, alpha)


def _counted(tosses: int, alpha: float) -> int:
    """In whole numbers of as many bits as there are tosses, which takes minutes for a million of them."""
    allowed = int(Fraction(alpha) * 2**tosses)
    heads, ways, within = tosses + 1, 1, 0
    while within + ways <= allowed:
        within += ways
        heads -= 1
        ways = ways * heads // (tosses - heads + 1)
    return heads


def _summed(tosses: int, alpha: float) -> int:
    few, many = tosses // 2, tosses
    while many - few > 1:
        middle = (few + many) // 2
        unlikely = binomial_tail(middle, tosses, 0.5) <= alpha * (1.0 - _UNSURE)
        few, many = (few, middle) if unlikely else (middle, many)
    return many

"""Bounds on a median by the sign test: valid at any size and any alpha, for every distribution.

At least k values above the median are at most as likely as at least k heads of a fair coin. So the value with k values
at or above it is a bound. Equal values are no problem: a value that equals a hypothesis never counts against it.
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

MOST_COUNTED: Final = 4_000  # tosses that are counted exactly, in big integers
_LEAST_SUMMED: Final = 1e-290
"""Smallest alpha for floating-point sums; below it, they lose all digits."""
_UNSURE: Final = 1e-7
"""An upper limit of the relative error of a sum."""


def median_bounds(values: Values, alpha: float) -> Bounds:
    """Return bounds on the medians that a sign test of error ``alpha`` does not reject.

    Fewer than -log2(``alpha``) values reject none, and both bounds are infinite.

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
    """Return the fewest heads k such that a fair coin shows at least k heads with a probability of at most ``alpha``.

    The counts are exact for up to ``MOST_COUNTED`` tosses. For more, probabilities are floating-point sums, and one too
    close to ``alpha`` to be distinguished counts as larger. The result is ``tosses`` + 1 if even all heads are too
    likely.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), or ``tosses`` is negative.
    """
    check_alpha(alpha)
    if tosses < 0:
        raise ValueError(f"a coin cannot be tossed {tosses} times")
    return _counted(tosses, alpha) if tosses <= MOST_COUNTED or alpha < _LEAST_SUMMED else _summed(tosses, alpha)


def _counted(tosses: int, alpha: float) -> int:
    """Count in integers with one bit per toss, which would take minutes for a million tosses."""
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

"""Bounds on a median from the order of the values alone: exact at any size and any alpha, for every distribution.

That at least so many of the values lie above the median is no likelier than as many heads of a fair coin. So the value
with that many above or at it is a bound. Values that are alike are no difficulty: a value that equals a hypothesis
never speaks against it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import inf

import numpy as np

from mendel.guard.statistics.means import Values, check_alpha, checked
from mendel.guard.statistics.samples import Bounds


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
    """The fewest heads that a fair coin shows with a chance of ``alpha`` at most, counted without rounding.

    One more than there are tosses where even as many heads as these are likelier.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), or ``tosses`` is negative.
    """
    check_alpha(alpha)
    if tosses < 0:
        raise ValueError(f"a coin is not tossed {tosses} times")
    allowed = int(Fraction(alpha) * 2**tosses)
    heads, ways, within = tosses + 1, 1, 0
    while within + ways <= allowed:
        within += ways
        heads -= 1
        ways = ways * heads // (tosses - heads + 1)
    return heads

"""Effect sizes on common scales: ratios of rates and of odds, and standardised effects.

Every effect compares the candidate with the baseline; ratios are above 1 where the candidate passes more often.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import asin, exp, inf, sqrt
from statistics import fmean, stdev
from typing import Final

from mendel.guard.statistics.proportions import clopper_pearson
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import normal_critical

_NO_RATIO: Final = Bounds(1.0, 0.0, inf)
_LARGEST_LOG: Final = 300.0  # ratios are searched between exp(-300) and exp(300)
_HALVINGS: Final = 64


def risk_ratio(paired: Paired, alpha: float) -> Bounds:
    """Return the candidate's pass rate over the baseline's, with score bounds for paired rates (Nam and Blackwelder).

    Estimate and upper bound are infinite where the baseline never passed. Where neither side ever passed, the estimate
    is 1 and the bounds are 0 and infinity.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    z = normal_critical(alpha)
    candidate, baseline = paired.candidate_passes, paired.baseline_passes
    if not candidate and not baseline:
        return _NO_RATIO
    lower = _ratio_lower(paired, z)
    inverse = _ratio_lower(_swapped(paired), z)  # the upper bound is the inverse of the swapped table's lower bound
    return Bounds(_quotient(candidate, baseline), lower, _quotient(1.0, inverse))


def odds_ratio(paired: Paired, alpha: float) -> Bounds:
    """Return the odds that only the candidate passes in a discordant pair, with exact conditional bounds.

    Estimate and upper bound are infinite where no discordant pair is the baseline's. Without discordant pairs, the
    estimate is 1 and the bounds are 0 and infinity.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    discordant = paired.only_candidate + paired.only_baseline
    share = clopper_pearson(paired.only_candidate, discordant, alpha)
    if not discordant:
        return _NO_RATIO
    return Bounds(_quotient(paired.only_candidate, paired.only_baseline), _odds(share.lower), _odds(share.upper))


def cohens_h(p1: float, p2: float) -> float:
    """Return Cohen's h: the difference of two rates on a scale that stabilises their variance."""
    return 2.0 * (asin(sqrt(p1)) - asin(sqrt(p2)))


def cohens_d(differences: Sequence[float]) -> float:
    """Return the mean of paired differences over their standard deviation; infinite where all are equal and not zero.

    Raises:
        ValueError: there are fewer than two differences.
    """
    if len(differences) < 2:
        raise ValueError("Cohen's d needs at least two differences")
    return _signed_quotient(fmean(differences), stdev(differences))


def cliffs_delta(left: Sequence[float], right: Sequence[float]) -> float:
    """Return Cliff's delta: P(left > right) - P(left < right) over all pairs of values.

    Raises:
        ValueError: a side is empty.
    """
    if not left or not right:
        raise ValueError("Cliff's delta needs at least one value on each side")
    ordered = sorted(right)
    wins = sum(bisect_left(ordered, value) + bisect_right(ordered, value) - len(ordered) for value in left)
    return wins / (len(left) * len(ordered))


def _ratio_lower(paired: Paired, z: float) -> float:
    """Find the ratio that lies ``z`` standard errors below the estimate, by bisection on a logarithmic scale."""
    if not paired.candidate_passes:
        return 0.0
    low, high = -_LARGEST_LOG, _LARGEST_LOG
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _ratio_z(paired, exp(middle)) > z else (low, middle)
    return exp(low)


def _ratio_z(paired: Paired, ratio: float) -> float:
    """Return how many standard errors the table lies above ``ratio``, at the maximum likelihood rates for that ratio.

    The maximum likelihood share of pairs that neither side passes is the observed one. That leaves one unknown, the
    rate of pairs that only the baseline passes; it is the larger root of a quadratic equation.
    """
    n = paired.n
    passed = (n - paired.neither) / n
    excess = paired.candidate_passes - ratio * paired.baseline_passes
    linear = paired.baseline_passes * (ratio * ratio - 1.0) - paired.only_candidate - paired.only_baseline
    constant = paired.only_baseline * (ratio - 1.0) * passed
    quadratic = (1.0 + ratio) * n
    root = sqrt(max(linear * linear + 4.0 * quadratic * constant, 0.0))
    rate = 2.0 * constant / (root + linear) if linear > 0.0 else (root - linear) / (2.0 * quadratic)
    variance = n * max((ratio - 1.0) * passed + (1.0 + ratio) * rate, 0.0)
    return _signed_quotient(excess, sqrt(variance))


def _swapped(paired: Paired) -> Paired:
    return paired._replace(only_candidate=paired.only_baseline, only_baseline=paired.only_candidate)


def _odds(share: float) -> float:
    return _quotient(share, 1.0 - share)


def _quotient(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else inf


def _signed_quotient(numerator: float, denominator: float) -> float:
    if denominator > 0.0:
        return numerator / denominator
    return 0.0 if numerator == 0.0 else inf if numerator > 0.0 else -inf

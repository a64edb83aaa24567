"""Power and sample sizes: how many cases a verdict needs, and what a number of cases can show.

For the paired test of "the difference is at most the margin", power is a normal approximation of Tango's score test; a
margin below zero makes it a test of non-inferiority. For a single rate, power is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, inf, log, log1p, sqrt
from typing import Final

from mendel.guard.statistics.paired import null_variance
from mendel.guard.statistics.special import binomial_tail, normal_cdf, normal_critical, normal_quantile

_MOST_PAIRS: Final = 10**12
_MOST_TRIALS: Final = 10**6
_ROUNDING: Final = 1e-12
_HALVINGS: Final = 60
_MOST_SEARCHED: Final = 200  # expected failures or successes, whichever are fewer, for an exact search
_SURELY: Final = 1.03  # safety factor on the normal approximation


def discordance(baseline_rate: float, candidate_rate: float, correlation: float) -> tuple[float, float]:
    """Return the shares of pairs that only the candidate passes, and that only the baseline passes.

    ``correlation`` is the phi coefficient of the two outcomes. A value that is impossible for these rates is replaced
    by the nearest possible one.

    Raises:
        ValueError: a rate is not in [0, 1], or the correlation not in [-1, 1].
    """
    if not (0.0 <= baseline_rate <= 1.0 and 0.0 <= candidate_rate <= 1.0 and -1.0 <= correlation <= 1.0):
        raise ValueError(
            f"rates must be in [0, 1] and a correlation in [-1, 1], not {baseline_rate}, {candidate_rate} and"
            f" {correlation}"
        )
    spread = sqrt(baseline_rate * (1.0 - baseline_rate) * candidate_rate * (1.0 - candidate_rate))
    both = baseline_rate * candidate_rate + correlation * spread
    both = min(max(both, baseline_rate + candidate_rate - 1.0, 0.0), baseline_rate, candidate_rate)
    return candidate_rate - both, baseline_rate - both


def power(
    n: int, baseline_rate: float, candidate_rate: float, correlation: float, margin: float, alpha: float
) -> float:
    """Return the probability that ``n`` pairs show a difference above ``margin`` at these true rates.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), the margin not in (-1, 1), or ``discordance`` refuses the rates.
    """
    if not -1.0 < margin < 1.0:
        raise ValueError(f"a margin must be in (-1, 1), not {margin}")
    z = normal_critical(alpha)
    up, down = discordance(baseline_rate, candidate_rate, correlation)
    lead = sqrt(n) * (up - down - margin) - z * sqrt(null_variance(up, down, 1.0, margin))
    spread = sqrt(max(up + down - (up - down) ** 2, 0.0))
    if spread == 0.0:
        return 1.0 if lead > 0.0 else 0.0
    return normal_cdf(lead / spread)


def sample_size(
    baseline_rate: float, candidate_rate: float, correlation: float, margin: float, alpha: float, target: float
) -> int | None:
    """Return the fewest pairs with at least ``target`` power; None where 10**12 pairs are too few.

    Raises:
        ValueError: for the reasons of ``power``.
    """

    def enough(n: int) -> bool:
        return power(n, baseline_rate, candidate_rate, correlation, margin, alpha) >= target

    return fewest(enough)


def equivalence_power(
    n: int, baseline_rate: float, candidate_rate: float, correlation: float, margin: float, alpha: float
) -> float:
    """Return the probability that ``n`` pairs show a difference within ``margin`` on either side at these true rates.

    Both one-sided tests must succeed. The result is a lower limit: the chance that one of them fails is at most the sum
    of their failure rates.

    Raises:
        ValueError: for the reasons of ``power``.
    """
    above = power(n, baseline_rate, candidate_rate, correlation, -margin, alpha)
    below = power(n, candidate_rate, baseline_rate, correlation, -margin, alpha)
    return max(0.0, above + below - 1.0)


def equivalence_sample_size(
    baseline_rate: float, candidate_rate: float, correlation: float, margin: float, alpha: float, target: float
) -> int | None:
    """Return the fewest pairs with at least ``target`` power for equivalence; None where 10**12 are too few.

    Raises:
        ValueError: for the reasons of ``power``.
    """

    def enough(n: int) -> bool:
        return equivalence_power(n, baseline_rate, candidate_rate, correlation, margin, alpha) >= target

    return fewest(enough)


def fewest(enough: Callable[[int], bool], most: int = _MOST_PAIRS) -> int | None:
    """Find by bisection the fewest pairs that are enough, if more always are; None where ``most`` are too few."""
    few, many = 0, 1
    while not enough(many):
        few, many = many, 2 * many
        if many > most:
            return None
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if enough(middle) else (middle, many)
    return many


def minimum_detectable_effect(
    n: int, baseline_rate: float, correlation: float, margin: float, alpha: float, target: float
) -> float:
    """Return the smallest difference that ``n`` pairs show to be above ``margin`` with ``target`` power.

    It is infinite where even a candidate that always passes would not be enough.

    Raises:
        ValueError: for the reasons of ``power``.
    """

    def shown(difference: float) -> bool:
        rate = min(max(baseline_rate + difference, 0.0), 1.0)
        return power(n, baseline_rate, rate, correlation, margin, alpha) >= target

    low, high = max(margin, -baseline_rate), 1.0 - baseline_rate
    if not shown(high):
        return inf
    if shown(low):
        return low
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if shown(middle) else (middle, high)
    return high


def cases_for_mismatch_bound(margin: float, alpha: float) -> int:
    """Return how many cases without a mismatch show, with error ``alpha``, that mismatches are rarer than ``margin``.

    This is the smallest n with ``(1 - margin)**n <= alpha``, up to rounding.

    Raises:
        ValueError: the margin is not in (0, 1], or ``alpha`` not in (0, 1).
    """
    if not 0.0 < margin <= 1.0 or not 0.0 < alpha < 1.0:
        raise ValueError(f"a margin must be in (0, 1] and an error in (0, 1), not {margin} and {alpha}")
    if margin == 1.0:
        return 1
    return max(1, ceil(log(alpha) / log1p(-margin) * (1.0 - _ROUNDING)))


def absolute_sample_size(rate: float, min_rate: float, alpha: float, target: float) -> int | None:
    """Return the fewest trials that show with ``target`` power that a true ``rate`` is above ``min_rate``.

    The test is the exact binomial test of "at most ``min_rate``" with error ``alpha``. Since counts are integers, some
    larger numbers have slightly less power. The exact search takes a second at ten thousand trials; where more than a
    few hundred failures or successes are expected, the result is the normal approximation plus 3% for safety. None if
    the rate is not above ``min_rate``, or if a million trials are too few.

    Raises:
        ValueError: a rate is not in [0, 1], ``alpha`` not in (0, 0.5), or ``target`` not in (0, 1).
    """
    expected = _expected_trials(rate, min_rate, alpha, target)
    if expected > _MOST_TRIALS:
        return None
    if expected * min(rate, 1.0 - rate) > _MOST_SEARCHED:
        return ceil(expected * _SURELY)
    failures = 0
    n = _fewest_trials(failures, failures + 1, min_rate, alpha)
    while binomial_tail(n - failures, n, rate) < target:
        failures += 1
        n = _fewest_trials(failures, n + 1, min_rate, alpha)
        if n > _MOST_TRIALS:
            return None
    return n


def _fewest_trials(failures: int, at_least: int, min_rate: float, alpha: float) -> int:
    """Return the fewest trials among which ``failures`` failures are few enough to reject ``min_rate``."""
    few, many, step = at_least - 1, at_least, 1
    while binomial_tail(many - failures, many, min_rate) > alpha:
        few, many, step = many, many + step, 2 * step
    while many - few > 1:
        middle = (few + many) // 2
        refuted = binomial_tail(middle - failures, middle, min_rate) <= alpha
        few, many = (few, middle) if refuted else (middle, many)
    return many


def _expected_trials(rate: float, min_rate: float, alpha: float, target: float) -> float:
    """Return the number of trials by the normal approximation."""
    if not (0.0 <= rate <= 1.0 and 0.0 <= min_rate <= 1.0 and 0.0 < target < 1.0):
        raise ValueError(f"rates must be in [0, 1] and a power in (0, 1), not {rate}, {min_rate} and {target}")
    z = normal_critical(alpha)
    if rate <= min_rate:
        return inf
    spread = z * sqrt(min_rate * (1.0 - min_rate)) + normal_quantile(target) * sqrt(rate * (1.0 - rate))
    return (max(spread, 0.0) / (rate - min_rate)) ** 2

"""Evidence that may be looked at after every pair, and stopped at any of them.

An e-value is what a gambler has made of 1 by betting against a hypothesis. If the hypothesis holds, no way of betting
gains on average, so the chance that the capital *ever* reaches 1 / alpha is at most alpha (Ville): whoever looks after
every outcome, and stops when he likes, is as safe as who looks once. A bound is what the bets have not yet refuted.

The gambler here splits his capital over a fixed set of bets and lets each run. Every part is a product over the
outcomes, so the result depends on how many there were of each kind and not on their order; and the whole is a
martingale for any outcomes whose mean, given the past, is the hypothesis: they need not be independent.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, log, nextafter, sqrt
from typing import Final

import numpy as np

from mendel.guard.statistics.draws import Floats
from mendel.guard.statistics.means import Values, check_alpha, checked, constant, degenerate, standard_error
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import normal_cdf, student_quantile

_ODDS: Final = np.linspace(-5.5, 4.0, 40)
_ALL_IN: Final = 0.15
"""The share of the capital that one loss takes: what makes the most of a sample without any."""
_LOST: Final = -1e9
"""Stands for the logarithm of nothing; minus infinity would make no number of the product with zero losses."""
_CONVERGED: Final = 1e-7
_STEPS: Final = 100
_HALVINGS: Final = 60
_BEYOND: Final = 700.0
"""The logarithm of about the largest float."""


def _prior() -> tuple[Floats, Floats]:
    """The bets as shares of the largest one, and the logarithm of the capital behind each.

    The best bet is the difference over the variance, in the shares: from a few hundredths, where thousands of pairs
    often differ, to nearly everything, where hardly any does. Most of the capital stands there, on the scale of
    logarithmic odds.
    """
    weights = np.exp(-0.5 * ((_ODDS + 1.5) / 1.7) ** 2)
    weights *= (1.0 - _ALL_IN) / weights.sum()
    return np.append(1.0 / (1.0 + np.exp(-_ODDS)), 1.0), np.log(np.append(weights, _ALL_IN))


_BETS, _CAPITAL = _prior()
_KEPT: Final = 1.0 - _BETS
_AFTER_LOSS: Final = np.append(np.log(_KEPT[:-1]), _LOST)
_GAINS: Final = np.stack([_BETS, 0.5 * _BETS])
"""By bet: what a win adds to what was kept, over the hypothesis; below, what a tie does."""


def paired_evalue(paired: Paired, difference: float) -> float:
    """The natural logarithm of the evidence against "the candidate is better by ``difference`` at most".

    Raises:
        ValueError: ``difference`` is not in (-1, 1].
    """
    if not -1.0 < difference <= 1.0:
        raise ValueError(f"a hypothesis about a difference is in (-1, 1], not {difference}")
    return _log_capital(*_outcomes(paired), 0.5 * (1.0 + difference))


def paired_sequence(paired: Paired, alpha: float) -> Bounds:
    """Bounds on the difference that hold after every pair at once; each misses, ever, with ``alpha`` at most.

    Near -1 and 1 rounding to the nearest number would bring a bound inwards, so that it is the next one outwards.
    """
    wins, ties, losses = _outcomes(paired)
    lower = nextafter(2.0 * _unrefuted(wins, ties, losses, alpha) - 1.0, -2.0)
    upper = nextafter(1.0 - 2.0 * _unrefuted(losses, ties, wins, alpha), 2.0)
    return Bounds(paired.difference, max(-1.0, lower), min(1.0, upper))


def proportion_evalue(successes: int, n: int, rate: float) -> float:
    """The natural logarithm of the evidence against "it succeeds with ``rate`` at most".

    Raises:
        ValueError: ``rate`` is not in (0, 1], or the successes are not in 0 … ``n``.
    """
    if not 0.0 < rate <= 1.0:
        raise ValueError(f"a hypothesis about a rate is in (0, 1], not {rate}")
    return _log_capital(successes, 0, _failures(successes, n), rate)


def proportion_sequence(successes: int, n: int, alpha: float) -> Bounds:
    """Bounds on a success rate that hold after every trial at once; each misses, ever, with ``alpha`` at most."""
    failures = _failures(successes, n)
    lower = _unrefuted(successes, 0, failures, alpha)
    upper = 1.0 - _unrefuted(failures, 0, successes, alpha)
    return Bounds(successes / n if n else 0.5, lower, upper)


def bounded_evalue(values: Values, mean: float) -> float:
    """The natural logarithm of the evidence against "the mean is at most ``mean``", of values in [0, 1].

    Raises:
        ValueError: ``mean`` is not in (0, 1], a value is not in [0, 1], or there are none.
    """
    if not 0.0 < mean <= 1.0:
        raise ValueError(f"a hypothesis about a mean is in (0, 1], not {mean}")
    return _log_capital_of(_within(values), mean)


def bounded_sequence(values: Values, alpha: float) -> Bounds:
    """Bounds on the mean of values in [0, 1] that hold after every value at once; each misses, ever, with ``alpha``.

    They hold for every distribution on [0, 1], since a bet of the gambler's on a value gains nothing on average.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), a value is not in [0, 1], or there are none.
    """
    check_alpha(alpha)
    sample = _within(values)
    lower, upper = _unrefuted_mean(sample, alpha), 1.0 - _unrefuted_mean(np.sort(1.0 - sample), alpha)
    return Bounds(float(sample.mean()), lower, nextafter(upper, 2.0))


def mean_sequence(values: Values, alpha: float, planned_n: int, scale: float = 1.0) -> Bounds:
    """Bounds on a mean for any look at a growing sample, tightest where it has ``planned_n`` values.

    They are asymptotic: Robbins' mixture over one-sided normal drifts, with the sample's deviation for the true one.
    Looks at a handful of values, or at values with heavy tails, miss more often than ``alpha``. The boundary's own tail
    is taken from Student's distribution instead of the normal one, which mends most of that but proves nothing.
    ``scale`` is that of ``means.degenerate``.

    Raises:
        ValueError: ``planned_n`` is not positive, or as ``means.student`` does.
    """
    if planned_n < 1:
        raise ValueError(f"a sample is planned with one value at least, not {planned_n}")
    check_alpha(alpha)
    sample = checked(values)
    if constant(sample):
        return degenerate(sample, alpha, scale)
    boundary = _boundary(sample.size / planned_n * _best_drift(alpha), alpha)
    half = -student_quantile(normal_cdf(-boundary), sample.size - 1) * standard_error(sample)
    mean = float(sample.mean())
    return Bounds(mean, mean - half, mean + half)


def _outcomes(paired: Paired) -> tuple[int, int, int]:
    return paired.only_candidate, paired.both + paired.neither, paired.only_baseline


def _failures(successes: int, n: int) -> int:
    if not 0 <= successes <= n:
        raise ValueError(f"of {n} trials, {successes} cannot have succeeded")
    return n - successes


def _log_capital(wins: int, ties: int, losses: int, mean: float) -> float:
    """The logarithm of the capital after outcomes of 1, 1/2 and 0, against a mean of at most ``mean``.

    A bet b multiplies its part by 1 - b + b * outcome / mean, which is 1 on average if the hypothesis just holds.
    """
    capital = np.array([wins, ties]) @ np.log(_KEPT + _GAINS / mean) + (_CAPITAL + losses * _AFTER_LOSS)
    top = capital.max()
    return float(top + log(np.exp(capital - top).sum()))


def _within(values: Values) -> Floats:
    """The values in order of size, so that what is summed over them does not depend on the order they came in."""
    sample = np.sort(checked(values))
    if sample[0] < 0.0 or sample[-1] > 1.0:
        raise ValueError(f"a bounded value is in [0, 1], not {sample[0] if sample[0] < 0.0 else sample[-1]}")
    return sample


def _log_capital_of(sample: Floats, mean: float) -> float:
    """As ``_log_capital``, after any outcomes in [0, 1]."""
    with np.errstate(divide="ignore"):  # all of it on a value of 0 is lost
        grown = np.log(_KEPT[:, None] + _BETS[:, None] * (sample / mean)).sum(axis=1) + _CAPITAL
    top = grown.max()
    return float(top + log(np.exp(grown - top).sum()))


def _unrefuted_mean(sample: Floats, alpha: float) -> float:
    """The least mean against which the capital stays below 1 / ``alpha``; up to rounding, which errs downwards."""
    low, high = 0.0, float(sample.mean())
    goal = _CONVERGED - log(alpha)
    for _ in range(_HALVINGS if high > 0.0 else 0):
        middle = 0.5 * (low + high)
        if middle > 0.0 and _log_capital_of(sample, middle) >= goal:
            low = middle
        else:
            high = middle
    return low


def _unrefuted(wins: int, ties: int, losses: int, alpha: float) -> float:
    """The least mean of outcomes of 1, 1/2 and 0 against which the capital stays below 1 / ``alpha``.

    The capital is a sum of powers of 1 / mean with positive factors, so its logarithm is increasing and convex in
    -log(mean), and Newton's method cannot miss it. The goal is a trifle high, so that the bound errs outwards.
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"an alpha is in (0, 1), not {alpha}")
    if not wins + ties:
        return 0.0
    counts = np.array([wins, ties], dtype=np.float64)
    base = _CAPITAL + losses * _AFTER_LOSS
    goal = _CONVERGED - log(alpha)
    at = _guess(wins, ties, losses, goal)
    for _ in range(_STEPS):
        factors = _KEPT + _GAINS * exp(at)
        capital = counts @ np.log(factors) + base
        top = capital.max()
        parts = np.exp(capital - top)
        total = parts.sum()
        excess = top + log(total) - goal
        if abs(excess) <= _CONVERGED:
            break
        at -= excess / (wins + ties - (counts @ (_KEPT / factors)) @ parts / total)
        if at > _BEYOND:
            return 0.0
    return exp(-at)


def _guess(wins: int, ties: int, losses: int, goal: float) -> float:
    """About -log of the root: where a normal approximation has used up the goal and what the mixture costs."""
    n = wins + ties + losses
    mean = (wins + 0.5 * ties) / n
    variance = max(0.0, (wins + 0.25 * ties) / n - mean * mean)
    cost = goal + 1.8
    return -log(mean) + max(sqrt(2.0 * cost * variance / n) / mean + 0.5 * cost / n, cost / n)


@lru_cache(maxsize=256)
def _best_drift(alpha: float) -> float:
    """The size of the mixture's drifts, over one standard error, that makes the boundary least at that look."""
    low, high = log(1e-3), log(1e3)
    for _ in range(_STEPS):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        if _boundary(exp(left), alpha) < _boundary(exp(right), alpha):
            high = right
        else:
            low = left
    return exp(0.5 * (low + high))


def _boundary(drift: float, alpha: float) -> float:
    """How many standard errors a mean may ever be off, where ``drift`` is the mixture's variance times n.

    A half-normal mixture has made 2 Phi(z) exp(z * z / 2) / sqrt(drift + 1) of 1, with z the deviation shrunk by
    sqrt(drift / (drift + 1)); and 2 Phi(z) exp(z * z / 2) is at least 2 exp(z * z / 2) - 1.
    """
    if drift == 0.0:
        return inf
    return sqrt((drift + 1.0) / drift * 2.0 * log(0.5 + 0.5 * sqrt(drift + 1.0) / alpha))

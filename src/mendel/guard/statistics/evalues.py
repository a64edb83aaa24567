"""E-values and confidence sequences: evidence that stays valid however often it is looked at and whenever it stops.

An e-value is the capital of a bettor who starts with 1 and bets against a hypothesis. If the hypothesis holds, no bets
gain on average, so the probability that the capital *ever* reaches 1 / alpha is at most alpha (Ville's inequality).
Looking after every outcome and stopping at will is therefore as safe as looking once. A bound is the limit of the
hypotheses that the bets have not refuted.

Here the capital is split over a fixed set of bets, and each part runs on its own. Every part is a product over the
outcomes, so the result depends on the counts of outcomes and not on their order. The sum is a martingale for any
outcomes whose conditional mean, given the past, is the hypothesis; they need not be independent.
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
"""Share of the capital on the bet that one loss ends; it gains most in a sample without losses."""
_LOST: Final = -1e9
"""Stands for log(0); minus infinity times zero losses would give nan."""
_CONVERGED: Final = 1e-7
_STEPS: Final = 100
_HALVINGS: Final = 60
_BEYOND: Final = 700.0
"""The logarithm of about the largest float."""


def _prior() -> tuple[Floats, Floats]:
    """Return the bets as shares of the largest possible bet, and the logarithm of the capital on each.

    The best bet is about the difference over the variance: from a few hundredths, where many of thousands of pairs
    differ, to nearly the whole capital, where hardly any pair does. Most of the capital is spread over that range, on
    the scale of log odds.
    """
    weights = np.exp(-0.5 * ((_ODDS + 1.5) / 1.7) ** 2)
    weights *= (1.0 - _ALL_IN) / weights.sum()
    return np.append(1.0 / (1.0 + np.exp(-_ODDS)), 1.0), np.log(np.append(weights, _ALL_IN))


_BETS, _CAPITAL = _prior()
_KEPT: Final = 1.0 - _BETS
_AFTER_LOSS: Final = np.append(np.log(_KEPT[:-1]), _LOST)
_GAINS: Final = np.stack([_BETS, 0.5 * _BETS])
"""By bet, the gain from a win (first row) and from a tie (second row), to be divided by the hypothesis."""


def paired_evalue(paired: Paired, difference: float) -> float:
    """Return the natural logarithm of the evidence against "the candidate is better by at most ``difference``".

    Raises:
        ValueError: ``difference`` is not in (-1, 1].
    """
    if not -1.0 < difference <= 1.0:
        raise ValueError(f"the difference of a hypothesis must be in (-1, 1], not {difference}")
    return _log_capital(*_outcomes(paired), 0.5 * (1.0 + difference))


def paired_sequence(paired: Paired, alpha: float) -> Bounds:
    """Return bounds on the difference that hold after all pairs at once; each ever misses with at most ``alpha``.

    Near -1 and 1, rounding to nearest could move a bound inwards, so it is moved to the next float outwards.
    """
    wins, ties, losses = _outcomes(paired)
    lower = nextafter(2.0 * _unrefuted(wins, ties, losses, alpha) - 1.0, -2.0)
    upper = nextafter(1.0 - 2.0 * _unrefuted(losses, ties, wins, alpha), 2.0)
    return Bounds(paired.difference, max(-1.0, lower), min(1.0, upper))


def proportion_evalue(successes: int, n: int, rate: float) -> float:
    """Return the natural logarithm of the evidence against "the success rate is at most ``rate``".

    Raises:
        ValueError: ``rate`` is not in (0, 1], or the successes are not in 0 … ``n``.
    """
    if not 0.0 < rate <= 1.0:
        raise ValueError(f"the rate of a hypothesis must be in (0, 1], not {rate}")
    return _log_capital(successes, 0, _failures(successes, n), rate)


def proportion_sequence(successes: int, n: int, alpha: float) -> Bounds:
    """Return bounds on a success rate that hold after all trials at once; each ever misses with at most ``alpha``."""
    failures = _failures(successes, n)
    lower = _unrefuted(successes, 0, failures, alpha)
    upper = 1.0 - _unrefuted(failures, 0, successes, alpha)
    return Bounds(successes / n if n else 0.5, lower, upper)


def bounded_evalue(values: Values, mean: float) -> float:
    """Return the natural logarithm of the evidence against "the mean is at most ``mean``", for values in [0, 1].

    Raises:
        ValueError: ``mean`` is not in (0, 1], a value is not in [0, 1], or there are none.
    """
    if not 0.0 < mean <= 1.0:
        raise ValueError(f"the mean of a hypothesis must be in (0, 1], not {mean}")
    return _log_capital_of(_within(values), mean)


def bounded_sequence(values: Values, alpha: float) -> Bounds:
    """Return bounds on the mean of values in [0, 1] that hold after all values at once, each with error ``alpha``.

    They hold for every distribution on [0, 1], since a bet on a value gains nothing on average.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), a value is not in [0, 1], or there are none.
    """
    check_alpha(alpha)
    sample = _within(values)
    lower, upper = _unrefuted_mean(sample, alpha), 1.0 - _unrefuted_mean(np.sort(1.0 - sample), alpha)
    return Bounds(float(sample.mean()), lower, nextafter(upper, 2.0))


def mean_sequence(values: Values, alpha: float, planned_n: int, scale: float = 1.0) -> Bounds:
    """Return bounds on a mean for any look at a growing sample, tightest where it has ``planned_n`` values.

    They are asymptotic: Robbins' mixture over one-sided normal drifts, with the sample's deviation for the true one.
    Looks at a handful of values, or at values with heavy tails, miss more often than ``alpha``. The tail of the
    boundary comes from Student's distribution instead of the normal one; this removes most of the excess, without a
    proof. ``scale`` is that of ``means.degenerate``.

    Raises:
        ValueError: ``planned_n`` is not positive, or for the reasons of ``means.student``.
    """
    if planned_n < 1:
        raise ValueError(f"planned_n must be at least 1, not {planned_n}")
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
        raise ValueError(f"successes must be in 0 … {n}, the number of trials, not {successes}")
    return n - successes


def _log_capital(wins: int, ties: int, losses: int, mean: float) -> float:
    """Return the logarithm of the capital after outcomes of 1, 1/2 and 0, against a mean of at most ``mean``.

    A bet b multiplies its part by 1 - b + b * outcome / mean, whose expectation is 1 if the mean equals ``mean``.
    """
    capital = np.array([wins, ties]) @ np.log(_KEPT + _GAINS / mean) + (_CAPITAL + losses * _AFTER_LOSS)
    top = capital.max()  # log-sum-exp: the capital itself may overflow
    return float(top + log(np.exp(capital - top).sum()))


def _within(values: Values) -> Floats:
    """Check and sort the values, so that floating-point sums over them do not depend on their order."""
    sample = np.sort(checked(values))
    if sample[0] < 0.0 or sample[-1] > 1.0:
        raise ValueError(f"every value must be in [0, 1], not {sample[0] if sample[0] < 0.0 else sample[-1]}")
    return sample


def _log_capital_of(sample: Floats, mean: float) -> float:
    """Do the same as ``_log_capital`` for any outcomes in [0, 1]."""
    with np.errstate(divide="ignore"):  # log(0) where the largest bet loses everything on a value of 0
        grown = np.log(_KEPT[:, None] + _BETS[:, None] * (sample / mean)).sum(axis=1) + _CAPITAL
    top = grown.max()
    return float(top + log(np.exp(grown - top).sum()))


def _unrefuted_mean(sample: Floats, alpha: float) -> float:
    """Find the least mean against which the capital stays below 1 / ``alpha``; rounding errs downwards."""
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
    """Find the least mean of outcomes of 1, 1/2 and 0 against which the capital stays below 1 / ``alpha``.

    The capital is a sum of powers of 1 / mean with positive factors, so its logarithm is increasing and convex in
    -log(mean), and Newton's method always converges. The goal is slightly too high, so that the bound errs outwards.
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must be in (0, 1), not {alpha}")
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
        if at > _BEYOND:  # the root underflows
            return 0.0
    return exp(-at)


def _guess(wins: int, ties: int, losses: int, goal: float) -> float:
    """Return a first guess of -log(root), from a normal approximation that also pays the cost of the mixture."""
    n = wins + ties + losses
    mean = (wins + 0.5 * ties) / n
    variance = max(0.0, (wins + 0.25 * ties) / n - mean * mean)
    cost = goal + 1.8
    return -log(mean) + max(sqrt(2.0 * cost * variance / n) / mean + 0.5 * cost / n, cost / n)


@lru_cache(maxsize=256)
def _best_drift(alpha: float) -> float:
    """Find, by ternary search, the size of the mixture's drifts that minimises the boundary at the planned look."""
    low, high = log(1e-3), log(1e3)
    for _ in range(_STEPS):
        left, right = low + (high - low) / 3.0, high - (high - low) / 3.0
        if _boundary(exp(left), alpha) < _boundary(exp(right), alpha):
            high = right
        else:
            low = left
    return exp(0.5 * (low + high))


def _boundary(drift: float, alpha: float) -> float:
    """Return how many standard errors a mean may ever be off; ``drift`` is the mixture's variance times n.

    The capital of a half-normal mixture is 2 Phi(z) exp(z * z / 2) / sqrt(drift + 1), where z is the deviation times
    sqrt(drift / (drift + 1)). The boundary uses that 2 Phi(z) exp(z * z / 2) is at least 2 exp(z * z / 2) - 1.
    """
    if drift == 0.0:
        return inf
    return sqrt((drift + 1.0) / drift * 2.0 * log(0.5 + 0.5 * sqrt(drift + 1.0) / alpha))

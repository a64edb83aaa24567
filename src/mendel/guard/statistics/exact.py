"""Exact bounds on a paired difference: their error never exceeds alpha, at any sample size and any rates.

The p-value of a difference is the probability of a table at least as far above it as the observed one, maximised over
all rates with this difference. "Far" is measured by Tango's score statistic. The tables at least as far form a
staircase: the more pairs only the baseline passes, the more pairs only the candidate must pass. This makes a thousand
pairs feasible, since the probability is a sum along the edge of the staircase instead of over half a million tables.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import normal_critical

_Floats = NDArray[np.float64]
_Counts = NDArray[np.int64]

_TIE: Final = 1e-9
"""Tables whose statistics differ by less count as equally far, so that rounding does not matter."""
_TOLERANCE: Final = 1e-8  # of a bound
_SMALLEST: Final = 1e-300
_REFINEMENTS: Final = 4
_PEAKS: Final = 4
_PEAK_POINTS: Final = 17


def exact_difference(paired: Paired, alpha: float) -> Bounds:
    """Return bounds from two inverted one-sided exact unconditional tests (Chan and Zhang).

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    normal_critical(alpha)  # for its check of alpha
    if not paired.n:
        return Bounds(0.0, -1.0, 1.0)
    up, down, alike = paired.only_candidate, paired.only_baseline, paired.both + paired.neither
    return Bounds(
        paired.difference, _lower(Paired(alike, up, down, 0), alpha), -_lower(Paired(alike, down, up, 0), alpha)
    )


def exact_p_value(paired: Paired, difference: float) -> float:
    """Return the largest probability of a table this far above ``difference`` if the true difference is at most that.

    Its absolute precision is about 1e-12. Without any pairs it is 1.

    Raises:
        ValueError: ``difference`` is not in [-1, 1].
    """
    if not -1.0 <= difference <= 1.0:
        raise ValueError(f"a difference of rates must be in [-1, 1], not {difference}")
    if not paired.n or abs(difference) == 1.0:
        return 1.0 if difference > 0.0 or paired.only_baseline == paired.n else 0.0
    return _worst(_staircase(_floors(paired, difference)), difference, enough=1.0)


class _Staircase(NamedTuple):
    """A set of tables: if only the baseline passes ``c`` pairs, only the candidate passes at least ``floors[c]`` pairs.

    The probability of the latter among the other ``n - c`` pairs is the sum of binomial terms up to ``ends[c]``. The
    first terms are those of every count from the lowest floor upwards. Each further row, with one more pair of the
    baseline, adds corrections for having one trial less and for each step of the floor. A term is
    ``sign * ways * rate**passes * (1 - rate)**others``; a row of ``powers`` holds its passes and its others.
    """

    signs: _Floats
    log_ways: _Floats
    powers: _Floats
    ends: _Counts
    log_ways_of_rows: _Floats
    n: int


@lru_cache(maxsize=65_536)  # tables recur in looks, repeats and claims
def _lower(paired: Paired, alpha: float) -> float:
    """Find the difference up to which the test rejects all differences.

    The p-value is not quite monotone, since the order of the tables changes with the difference. So the search walks up
    from the lowest difference over intervals without a p-value above ``alpha``, halving intervals that may contain one.
    """
    if paired.only_baseline == paired.n:
        return -1.0
    start = low = -1.0 + _TOLERANCE
    floors = _floors(paired, low)
    pending = [(paired.difference, _floors(paired, paired.difference))]
    while pending:
        end, ahead = pending[-1]
        # Every table of the set within the interval is in the set at one of its ends, and the union of the sets at both
        # ends is most likely at the upper end. So a small probability there covers the whole interval.
        if _worst(_staircase(np.minimum(floors, ahead)), end, enough=alpha) <= alpha:
            low, floors = pending.pop()
        elif end - low <= _TOLERANCE:
            break
        else:
            middle = 0.5 * (low + end)
            pending.append((middle, _floors(paired, middle)))
    return low if low > start else -1.0


def _worst(staircase: _Staircase, difference: float, *, enough: float) -> float:
    """Return the probability of the set at the worst rates with this difference, or any found above ``enough``."""
    angles = np.linspace(0.0, 0.5 * np.pi, 32 + 2 * isqrt(staircase.n))  # peaks narrow like 1 / sqrt(n)
    worst = 0.0
    for _ in range(_REFINEMENTS):
        chances = _chances(staircase, difference, angles)
        worst = max(worst, float(chances.max()))
        if worst > enough:
            break
        angles = _around_peaks(angles, chances)
    return min(worst, 1.0)


def _around_peaks(angles: _Floats, chances: _Floats) -> _Floats:
    """Return a finer grid between the neighbours of the highest local maxima."""
    padded = np.concatenate([[-1.0], chances, [-1.0]])
    peaks = np.flatnonzero((chances >= padded[:-2]) & (chances >= padded[2:]))
    peaks = peaks[np.argsort(-chances[peaks], kind="stable")][:_PEAKS]
    left, right = angles[np.maximum(peaks - 1, 0)], angles[np.minimum(peaks + 1, len(angles) - 1)]
    return np.unique(np.linspace(left, right, _PEAK_POINTS))


def _chances(staircase: _Staircase, difference: float, angles: _Floats) -> _Floats:
    """Return the probabilities of the set for shares of discordant pairs from least to most, densest at both ends."""
    spare = 1.0 - abs(difference)
    fewer = np.maximum(0.5 * spare * np.sin(angles) ** 2, _SMALLEST)
    candidate, baseline = fewer + max(difference, 0.0), fewer - min(difference, 0.0)
    log_concordant = np.log(np.maximum(spare * np.cos(angles) ** 2, _SMALLEST))
    log_baseline, log_others = np.log(baseline), np.log1p(-baseline)
    rates = np.stack([np.log(candidate) - log_others, log_concordant - log_others])
    terms = np.exp(staircase.powers @ rates + staircase.log_ways[:, None]) * staircase.signs[:, None]
    within = np.cumsum(terms, axis=0)[staircase.ends]
    row = np.arange(len(staircase.ends))[:, None]
    rows = np.exp(row * log_baseline + (staircase.n - row) * log_others + staircase.log_ways_of_rows[:, None])
    chances: _Floats = (rows * within).sum(axis=0)
    return chances


def _staircase(floors: _Counts) -> _Staircase:
    n = len(floors) - 1
    floors = floors[floors <= np.arange(n, -1, -1)]  # only rows that contain a table
    row, top = np.arange(len(floors)), np.arange(floors[0], n + 1)
    lengths = np.diff(floors) + 1
    place = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    trials = np.concatenate([np.full(len(top), n), np.repeat(n - row[1:], lengths)])
    passes = np.concatenate([top, np.repeat(floors[:-1], lengths) + place - 1])
    signs = np.where(passes < 0, 0.0, np.repeat([1.0, -1.0], [len(top), len(place)]))  # no negative counts
    passes = np.maximum(passes, 0)
    others = trials - passes
    logs = _log_factorials(n)
    return _Staircase(
        signs=signs,
        log_ways=logs[trials] - logs[passes] - logs[others],
        powers=np.stack([passes + np.concatenate([np.zeros_like(top), place == 0]), others], axis=1).astype(np.float64),
        ends=len(top) - 1 + np.concatenate([[0], np.cumsum(lengths)]),
        log_ways_of_rows=logs[n] - logs[row] - logs[n - row],
        n=n,
    )


@lru_cache(maxsize=16)
def _log_factorials(n: int) -> _Floats:
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])


def _floors(paired: Paired, difference: float) -> _Counts:
    """For each count of the baseline's pairs, find the fewest pairs of the candidate that are as far as ``paired``.

    It is n + 1 where no count is. Bisection works, since the statistic grows with every pair of the candidate. That the
    floors rise with the baseline's count is enforced; where they would not, the set is larger and the test more
    conservative.
    """
    n = paired.n
    row = np.arange(n + 1)
    observed = np.array([paired.only_candidate]), np.array([paired.only_baseline])
    limit = float(_scores(*observed, n, difference)[0]) - _TIE
    low, high = np.zeros_like(row), n - row + 1
    while (low < high).any():
        middle = (low + high) // 2
        far = _scores(np.minimum(middle, n - row), row, n, difference) >= limit
        low, high = np.where(far | (low >= high), low, middle + 1), np.where(far, middle, high)
    return np.minimum.accumulate(np.where(high > n - row, n + 1, high)[::-1])[::-1]


def _scores(only_candidate: _Counts, only_baseline: _Counts, n: int, difference: float) -> _Floats:
    """Compute Tango's score statistic for many tables at once, with the formula of ``paired.null_variance``."""
    against = abs(difference)
    up, down = (only_candidate, only_baseline) if difference >= 0.0 else (only_baseline, only_candidate)
    linear = (2.0 * n - up + down) * against - up - down
    root = np.sqrt(linear**2 + 8.0 * n * down * against * (1.0 - against))
    variance = (root - linear) / (2.0 * n) + against * (1.0 - against)
    scores: _Floats = (only_candidate - only_baseline - n * difference) / np.sqrt(n * np.maximum(variance, _SMALLEST))
    return scores

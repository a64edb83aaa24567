"""Bounds on the difference of two pass rates that were measured on the same inputs, and tests of it.

Tango's score interval is the gate's own: closed where one kind of discordant pair is missing, and otherwise the root
of a smooth function. Where no pairs were counted, a difference is 0 and the bounds are -1 and 1.
"""

from __future__ import annotations

from math import copysign, inf, sqrt
from typing import Final

from mendel.guard.statistics.proportions import wilson_lower
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import binomial_tail, normal_critical

_NOTHING_COUNTED: Final = Bounds(0.0, -1.0, 1.0)
_STEP: Final = 1e-9
"""A step of Newton's method after which the next one would be below the precision of the numbers."""
_STEPS: Final = 200


def tango_z(paired: Paired, difference: float) -> float:
    """Tango's score statistic: how many standard errors the table lies above ``difference``.

    The standard error is that of the likeliest rates that have this difference. Zero where the table is the only one
    the difference allows, as every table without discordant pairs at 0; infinite where it allows no such table.

    Raises:
        ValueError: ``difference`` is not in [-1, 1].
    """
    if not -1.0 <= difference <= 1.0:
        raise ValueError(f"a difference of rates is in [-1, 1], not {difference}")
    n = paired.n
    excess = paired.only_candidate - paired.only_baseline - n * difference
    if excess == 0.0:
        return 0.0
    variance = n * null_variance(paired.only_candidate, paired.only_baseline, n, difference)
    return excess / sqrt(variance) if variance > 0.0 else copysign(inf, excess)


def null_variance(only_candidate: float, only_baseline: float, n: float, difference: float) -> float:
    """The variance of one pair's difference at the likeliest rates for ``difference``.

    Counts may be shares of ``n = 1``. The rate of pairs that speak against the difference, under the constraint, is
    the larger root of a quadratic equation, taken in the one of its two forms that adds and never subtracts.
    """
    up, down = only_candidate, only_baseline
    if difference < 0.0:
        up, down, difference = down, up, -difference
    linear = (2.0 * n - up + down) * difference - up - down
    constant = 2.0 * down * difference * (1.0 - difference)
    root = sqrt(linear * linear + 4.0 * n * constant)
    doubled = 2.0 * constant / (root + linear) if linear > 0.0 else (root - linear) / (2.0 * n)
    return doubled + difference * (1.0 - difference)


def tango(paired: Paired, alpha: float) -> Bounds:
    """The differences from which the table is not further than the score test of error ``alpha`` allows.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    z = normal_critical(alpha)
    n = paired.n
    if not n:
        return _NOTHING_COUNTED
    _, only_candidate, only_baseline, _ = paired
    lower = _tango_lower(only_candidate, only_baseline, n, z)
    return Bounds((only_candidate - only_baseline) / n, lower, -_tango_lower(only_baseline, only_candidate, n, z))


def newcombe(paired: Paired, alpha: float) -> Bounds:
    """Newcombe's tenth method: Wilson's bounds on both rates, squared and added with regard to their correlation.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    z = normal_critical(alpha)
    n = paired.n
    if not n:
        return _NOTHING_COUNTED
    candidate, baseline = paired.candidate_passes, paired.baseline_passes
    phi = _cautious_phi(paired)
    down = _added(_below(candidate, n, z), _below(n - baseline, n, z), phi)
    up = _added(_below(n - candidate, n, z), _below(baseline, n, z), phi)
    return Bounds(paired.difference, paired.difference - down, paired.difference + up)


def mcnemar(paired: Paired) -> float:
    """The exact p-value of the candidate being worse: how often chance alone favours the baseline as much."""
    return binomial_tail(paired.only_baseline, paired.only_candidate + paired.only_baseline, 0.5)


def mcnemar_better(paired: Paired) -> float:
    """The exact p-value of the candidate being better: how often chance alone favours it as much."""
    return binomial_tail(paired.only_candidate, paired.only_candidate + paired.only_baseline, 0.5)


def _tango_lower(up: int, down: int, n: int, z: float) -> float:
    """The difference below the estimate that lies ``z`` standard errors from it; ``up`` pairs speak for more."""
    square = z * z
    if not down:
        # the likeliest rate of the missing kind is zero, and the rest a single proportion, …
        bound = wilson_lower(up, n, z)
        # … but for differences so small that only some pairs of the missing kind would explain them
        return bound if up and bound * (2 * n - up) >= up else (up - square) / (n + square)
    if not up:
        return wilson_lower(n - down, n, z) - 1.0
    return _tango_root(up, down, n, z)


def _tango_root(up: int, down: int, n: int, z: float) -> float:
    """Newton's method on the excess over ``z`` standard errors, kept in a bracket that only shrinks.

    Spelled out rather than asked of ``null_variance``, because a calibration asks a million times.
    """
    discordant, slope, quadruple = up + down, 2.0 * n - up + down, 4.0 * n
    estimate = high = (up - down) / n
    low = -1.0
    scale = z / sqrt(n)
    point = max(estimate - scale * sqrt(discordant / n - estimate * estimate), 0.5 * (low + high))
    for _ in range(_STEPS):
        linear = slope * point - discordant
        root = sqrt(linear * linear + 2.0 * quadruple * down * point * (1.0 - point))
        rate = (root - linear) / quadruple
        error = sqrt(2.0 * rate + point * (1.0 - point))
        excess = estimate - point - scale * error
        low, high = (point, high) if excess > 0.0 else (low, point)
        bend = 2.0 * (down * (1.0 - 2.0 * point) - slope * rate) / root + 1.0 - 2.0 * point
        step = excess / (1.0 + 0.5 * scale * bend / error)
        point += step
        if -_STEP < step < _STEP:
            break
        if not low < point < high:
            point = 0.5 * (low + high)
    return point


def _cautious_phi(paired: Paired) -> float:
    """The correlation of the two outcomes, made smaller by a continuity correction where it is positive."""
    both, only_candidate, only_baseline, neither = paired
    candidate, baseline, n = paired.candidate_passes, paired.baseline_passes, paired.n
    product = candidate * baseline * (n - candidate) * (n - baseline)
    agreement = both * neither - only_candidate * only_baseline
    if not product:
        return 0.0
    return (max(agreement - 0.5 * n, 0.0) if agreement > 0 else agreement) / sqrt(product)


def _below(successes: int, n: int, z: float) -> float:
    return successes / n - wilson_lower(successes, n, z)


def _added(first: float, second: float, phi: float) -> float:
    return sqrt(max(first * first - 2.0 * phi * first * second + second * second, 0.0))

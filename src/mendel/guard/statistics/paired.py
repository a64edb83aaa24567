"""Bounds on the difference of two pass rates on the same inputs, and tests of it.

Tango's score interval is the gate's default. It has a closed form where one kind of discordant pair is missing, and is
the root of a smooth function otherwise. Without any pairs, the estimate is 0 and the bounds are -1 and 1.
"""

from __future__ import annotations

from math import copysign, inf, sqrt
from typing import Final

from mendel.guard.statistics.proportions import wilson_lower
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import binomial_tail, normal_critical

_NOTHING_COUNTED: Final = Bounds(0.0, -1.0, 1.0)
_STEP: Final = 1e-9
"""Newton's method stops after a step this small: the next one would be below floating-point precision."""
_STEPS: Final = 200


def tango_z(paired: Paired, difference: float) -> float:
    """Return Tango's score statistic: how many standard errors the table lies above ``difference``.

    The standard error is taken at the maximum likelihood rates under this difference. The statistic is zero where the
    estimate equals ``difference``, and infinite where the difference makes the table impossible.

    Raises:
        ValueError: ``difference`` is not in [-1, 1].
    """
    if not -1.0 <= difference <= 1.0:
        raise ValueError(f"a difference of rates must be in [-1, 1], not {difference}")
    n = paired.n
    excess = paired.only_candidate - paired.only_baseline - n * difference
    if excess == 0.0:
        return 0.0
    variance = n * null_variance(paired.only_candidate, paired.only_baseline, n, difference)
    return excess / sqrt(variance) if variance > 0.0 else copysign(inf, excess)


def null_variance(only_candidate: float, only_baseline: float, n: float, difference: float) -> float:
    """Return the variance of one pair's difference at the maximum likelihood rates under ``difference``.

    Counts may be shares of ``n = 1``. Under the constraint, the rate of the pairs against the difference is the larger
    root of a quadratic equation; of its two forms, the one without a subtraction is used, to avoid cancellation.
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
    """Return Tango's score bounds: the differences that the score test of error ``alpha`` does not reject.

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
    """Return bounds by Newcombe's method 10: Wilson bounds on both rates, combined with regard to their correlation.

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
    """Return the exact one-sided p-value of McNemar's test that the candidate is worse."""
    return binomial_tail(paired.only_baseline, paired.only_candidate + paired.only_baseline, 0.5)


def mcnemar_better(paired: Paired) -> float:
    """Return the exact one-sided p-value of McNemar's test that the candidate is better."""
    return binomial_tail(paired.only_candidate, paired.only_candidate + paired.only_baseline, 0.5)


def _tango_lower(up: int, down: int, n: int, z: float) -> float:
    """Find the difference that lies ``z`` standard errors below the estimate; ``up`` counts the pairs in its favour."""
    square = z * z
    if not down:
        # The maximum likelihood rate of the missing kind is zero, which leaves a single proportion, …
        bound = wilson_lower(up, n, z)
        # … except for differences so small that they require some pairs of the missing kind.
        return bound if up and bound * (2 * n - up) >= up else (up - square) / (n + square)
    if not up:
        return wilson_lower(n - down, n, z) - 1.0
    return _tango_root(up, down, n, z)


def _tango_root(up: int, down: int, n: int, z: float) -> float:
    """Apply Newton's method to the excess over ``z`` standard errors, within a bracket that only shrinks.

    The formula of ``null_variance`` is written out here for speed: a calibration calls this a million times.
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
        if not low < point < high:  # bisect where Newton leaves the bracket
            point = 0.5 * (low + high)
    return point


def _cautious_phi(paired: Paired) -> float:
    """Return the correlation of the two outcomes, reduced by a continuity correction where it is positive."""
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

"""Bounds on one proportion. Without any trials, the estimate is 0.5 and the bounds are 0 and 1."""

from __future__ import annotations

from math import sqrt
from typing import Final

from mendel.guard.statistics.samples import Bounds
from mendel.guard.statistics.special import beta_quantile, normal_critical

_NOTHING_COUNTED: Final = Bounds(0.5, 0.0, 1.0)


def wilson(successes: int, n: int, alpha: float) -> Bounds:
    """Return Wilson's score bounds: their error is close to ``alpha`` on average over the rates, and above it at some.

    Raises:
        ValueError: ``successes`` is not in 0 … ``n``, or ``alpha`` not in (0, 0.5).
    """
    z = normal_critical(alpha)
    _check(successes, n)
    if not n:
        return _NOTHING_COUNTED
    return Bounds(successes / n, wilson_lower(successes, n, z), 1.0 - wilson_lower(n - successes, n, z))


def clopper_pearson(successes: int, n: int, alpha: float) -> Bounds:
    """Return the exact Clopper-Pearson bounds: their error is at most ``alpha`` at every rate.

    Raises:
        ValueError: ``successes`` is not in 0 … ``n``, or ``alpha`` not in (0, 0.5).
    """
    normal_critical(alpha)  # for its check of alpha
    _check(successes, n)
    if not n:
        return _NOTHING_COUNTED
    return Bounds(successes / n, _exact_lower(successes, n, alpha), 1.0 - _exact_lower(n - successes, n, alpha))


def wilson_lower(successes: float, n: float, z: float) -> float:
    """Return the rate that lies ``z`` standard errors below ``successes / n``.

    It is the smaller root of a quadratic equation, computed by division by the larger one to avoid cancellation.
    """
    square = z * z
    spread = z * sqrt(successes * (n - successes) / n + 0.25 * square)
    return successes * successes / (n * (successes + 0.5 * square + spread))


def _exact_lower(successes: int, n: int, alpha: float) -> float:
    return beta_quantile(alpha, successes, n - successes + 1) if successes else 0.0


def _check(successes: int, n: int) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be in 0 … {n}, the number of trials, not {successes}")

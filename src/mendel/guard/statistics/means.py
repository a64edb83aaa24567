"""Bounds on a mean of paired differences, and on a ratio of timings, by Student's distribution."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, sqrt
from typing import Final, TypeAlias

import numpy as np

from mendel.guard.statistics.draws import Floats
from mendel.guard.statistics.samples import Bounds
from mendel.guard.statistics.special import student_quantile

Values: TypeAlias = Sequence[float] | Floats

ROUNDING: Final = 1e-12
"""Values that differ by less than this share of their size count as equal: the rest is rounding."""
_BEYOND: Final = 709.0
"""The logarithm of about the largest float."""


def student(differences: Values, alpha: float, scale: float = 1.0) -> Bounds:
    """Return bounds on the mean of ``differences``, exact for normal ones. ``scale`` is that of ``degenerate``.

    Raises:
        ValueError: there are no differences, one is not finite, or ``alpha`` is not in (0, 0.5).
    """
    check_alpha(alpha)
    values = checked(differences)
    if constant(values):
        return degenerate(values, alpha, scale)
    mean = float(values.mean())
    half = student_quantile(1.0 - alpha, values.size - 1) * standard_error(values)
    return Bounds(mean, mean - half, mean + half)


def log_ratio(left: Values, right: Values, alpha: float, scale: float = 1.0) -> Bounds:
    """Return bounds on the ratio of ``right`` to ``left``, paired by position: ``student`` on logarithms.

    The estimate is a geometric mean. ``scale`` is on the logarithmic scale: 1 is a factor of e.

    Raises:
        ValueError: the lengths differ, a timing is not positive, or for the reasons of ``student``.
    """
    before, after = checked(left), checked(right)
    if before.size != after.size:
        raise ValueError(f"timings must come in pairs, not {before.size} and {after.size}")
    if min(before.min(), after.min()) <= 0.0:
        raise ValueError("every timing must be positive")
    return Bounds(*map(_exp, student(np.log(after) - np.log(before), alpha, scale)))


def degenerate(values: Values, alpha: float, scale: float) -> Bounds:
    """Return bounds around values that are all equal, whose spread is therefore unknown; never of zero width.

    If every possible value lies within ``scale`` of zero, the true mean can differ much from the observed one only if
    other values are frequent, and frequent values are rarely missed ``n`` times. So the bounds miss with at most
    ``alpha``. This holds for all looks at a growing sample together, since a sample of equal values always was one.
    Around zero the half-width is (1 - alpha**(1 / n)) * ``scale``; elsewhere it grows with the distance to the far end
    of the range.

    Raises:
        ValueError: ``scale`` is not positive and finite, or for the reasons of ``student``.
    """
    if not 0.0 < scale < inf:
        raise ValueError(f"a scale must be positive and finite, not {scale}")
    check_alpha(alpha)
    sample = checked(values)
    mean = float(sample.mean())
    half = (1.0 - alpha ** (1.0 / sample.size)) * (scale + abs(mean))
    return Bounds(mean, mean - half, mean + half)


def widened(bounds: Bounds, values: Floats, alpha: float, scale: float) -> Bounds:
    """Return ``bounds``, or those of ``degenerate`` if few and coarse values have made both bounds equal."""
    width = bounds.upper - bounds.lower
    return bounds if width > ROUNDING * float(np.abs(values).max()) else degenerate(values, alpha, scale)


def check_alpha(alpha: float) -> None:
    """Check a one-sided error.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5).
    """
    if not 0.0 < alpha < 0.5:
        raise ValueError(f"alpha must be in (0, 0.5), not {alpha}")


def checked(values: Values) -> Floats:
    """Return the values as an array.

    Raises:
        ValueError: there are none, one is not finite, or the array is not one-dimensional.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError("a sample must be a one-dimensional, non-empty array of finite values")
    return array


def constant(values: Floats) -> bool:
    """Return whether the values are equal up to rounding."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def standard_error(values: Floats) -> float:
    """Return the standard error of the mean of at least two values."""
    return float(values.std(ddof=1)) / sqrt(values.size)


def _exp(power: float) -> float:
    """Return exp(``power``), or infinity on overflow: a few widely spread logarithms have such bounds."""
    return exp(power) if power < _BEYOND else inf

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
"""Values closer together than this share of their size differ by rounding only."""
_BEYOND: Final = 709.0
"""The logarithm of about the largest float."""


def student(differences: Values, alpha: float, scale: float = 1.0) -> Bounds:
    """Bounds on the mean of ``differences``, exact where these are normal. ``scale`` is that of ``degenerate``.

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
    """Bounds on the ratio of ``right`` to ``left``, paired by place: ``student`` on logarithms, taken back.

    The estimate is a geometric mean. ``scale`` is on the logarithmic scale: 1 is a factor of e.

    Raises:
        ValueError: the lengths differ, a timing is not positive, or as ``student`` does.
    """
    before, after = checked(left), checked(right)
    if before.size != after.size:
        raise ValueError(f"timings come in pairs, not {before.size} and {after.size}")
    if min(before.min(), after.min()) <= 0.0:
        raise ValueError("a timing is positive")
    return Bounds(*map(_exp, student(np.log(after) - np.log(before), alpha, scale)))


def degenerate(values: Values, alpha: float, scale: float) -> Bounds:
    """Bounds round values that are all alike, and therefore say nothing of their spread. Never of zero width.

    If each value lies within ``scale`` of zero, then the mean can be far from the one that was seen only if others are
    frequent, and what is frequent is rarely missed ``n`` times: the bounds miss with ``alpha`` at most. They do so at
    every look of a growing sample together, for a sample that is all alike now always was. Round zero the half-width is
    (1 - alpha**(1 / n)) * ``scale``; elsewhere it grows with the way to the far end of the range.

    Raises:
        ValueError: ``scale`` is not positive and finite, or as ``student`` does.
    """
    if not 0.0 < scale < inf:
        raise ValueError(f"a scale is positive and finite, not {scale}")
    check_alpha(alpha)
    sample = checked(values)
    mean = float(sample.mean())
    half = (1.0 - alpha ** (1.0 / sample.size)) * (scale + abs(mean))
    return Bounds(mean, mean - half, mean + half)


def widened(bounds: Bounds, values: Floats, alpha: float, scale: float) -> Bounds:
    """``bounds``, unless few and coarse values have put both in the same place: then those of ``degenerate``."""
    width = bounds.upper - bounds.lower
    return bounds if width > ROUNDING * float(np.abs(values).max()) else degenerate(values, alpha, scale)


def check_alpha(alpha: float) -> None:
    """Nothing, if ``alpha`` is one.

    Raises:
        ValueError: it is not in (0, 0.5).
    """
    if not 0.0 < alpha < 0.5:
        raise ValueError(f"an alpha is in (0, 0.5), not {alpha}")


def checked(values: Values) -> Floats:
    """The values as an array.

    Raises:
        ValueError: there are none, one is not finite, or they do not stand in one row.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError("a sample is one row of finite values, and not empty")
    return array


def constant(values: Floats) -> bool:
    """Whether the values are alike but for rounding."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def standard_error(values: Floats) -> float:
    """The standard deviation of the mean of more than one value."""
    return float(values.std(ddof=1)) / sqrt(values.size)


def _exp(power: float) -> float:
    """Few and wild logarithms have bounds beyond the largest float, where nothing is bounded."""
    return exp(power) if power < _BEYOND else inf

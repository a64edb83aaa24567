"""Bounds on a mean by resampling, for paired differences of any distribution.

All are approximate: they improve with the size of the sample, and miss more often than alpha where the sample is small
or nearly all values are equal. ``cluster`` is for cases in clusters, where only the clusters are independent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign, floor, inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.draws import Floats, batches, indices
from mendel.guard.statistics.means import ROUNDING, Values, check_alpha, checked, constant, degenerate, widened
from mendel.guard.statistics.samples import Bounds
from mendel.guard.statistics.special import normal_cdf, normal_quantile


def percentile(
    differences: Values, alpha: float, entropy: Entropy, resamples: int = 2000, scale: float = 1.0
) -> Bounds:
    """Return percentiles of the means of resamples as bounds: the simplest method, too narrow, for comparison only.

    ``scale`` is that of ``means.degenerate``, which gives the bounds where all differences are equal.

    Raises:
        ValueError: ``alpha`` is too small for that many resamples, or for the reasons of ``means.student``.
    """
    values = _sample(differences, alpha, resamples)
    if constant(values):
        return degenerate(values, alpha, scale)
    low, high = _tails(_means(values, entropy, resamples), (alpha, alpha))
    return widened(Bounds(float(values.mean()), low, high), values, alpha, scale)


def bca(differences: Values, alpha: float, entropy: Entropy, resamples: int = 2000, scale: float = 1.0) -> Bounds:
    """Return bounds on the mean by Efron's bias-corrected and accelerated percentiles; otherwise as ``percentile``."""
    values = _sample(differences, alpha, resamples)
    if constant(values):
        return degenerate(values, alpha, scale)
    means = _means(values, entropy, resamples)
    mean = float(values.mean())
    bias = _bias(means, mean, ROUNDING * float(np.abs(values).max()))
    bend = _acceleration(values - mean)
    z = normal_quantile(alpha)
    shares = normal_cdf(_bent(z, bias, bend)), normal_cdf(-_bent(-z, bias, bend))
    low, high = _tails(means, shares)
    return widened(Bounds(mean, low, high), values, alpha, scale)


def studentised(
    differences: Values, alpha: float, entropy: Entropy, resamples: int = 2000, scale: float = 1.0
) -> Bounds:
    """Return bounds on the mean from resampled t statistics (bootstrap-t); otherwise as ``percentile``.

    A resample of equal values has no standard error, so its statistic is infinite. Where such resamples are frequent,
    because nearly all values are equal, the bound on that side is infinite.
    """
    values = _sample(differences, alpha, resamples)
    return _studentised(values, np.ones(values.size), alpha, entropy, resamples, scale)


def cluster(
    differences: Values,
    clusters: Sequence[str] | Sequence[int] | NDArray[Any],
    alpha: float,
    entropy: Entropy,
    resamples: int = 2000,
    scale: float = 1.0,
) -> Bounds:
    """Return bounds on the mean of all differences, ``studentised`` over clusters; ``clusters`` names that of each.

    Whole clusters are resampled, and each counts once in the standard error. For a single cluster, or several with
    equal means, ``means.degenerate`` gives the bounds, with as many values as there are clusters.

    Raises:
        ValueError: the lengths differ, or for the reasons of ``percentile``.
    """
    values = _sample(differences, alpha, resamples)
    if len(clusters) != values.size:
        raise ValueError(f"{values.size} differences need as many cluster names, not {len(clusters)}")
    _, places = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.asarray(np.bincount(places, weights=values), dtype=np.float64)
    sizes = np.asarray(np.bincount(places), dtype=np.float64)
    return _studentised(sums, sizes, alpha, entropy, resamples, scale)


def _studentised(sums: Floats, sizes: Floats, alpha: float, entropy: Entropy, resamples: int, scale: float) -> Bounds:
    mean = float(sums.sum() / sizes.sum())
    rest = sums - mean * sizes
    error = float(_errors(rest[None, :], sizes[None, :])[0])
    if constant(sums / sizes):
        return degenerate(np.full(sums.size, mean), alpha, scale)
    pivots = np.concatenate(
        [_pivots(rest[drawn], sizes[drawn], ROUNDING * error) for drawn in _resampled(sums.size, entropy, resamples)]
    )
    low, high = _tails(pivots, (alpha, alpha))
    bounds = Bounds(mean, mean - high * error, mean - low * error)  # the upper pivot gives the lower bound
    return widened(bounds, np.full(sums.size, mean), alpha, scale)


def _pivots(rest: Floats, sizes: Floats, nothing: float) -> Floats:
    """Return the t statistic of each resample: its mean minus the sample's, over its own standard error."""
    shift = rest.sum(axis=1) / sizes.sum(axis=1)
    errors = _errors(rest - shift[:, None] * sizes, sizes)
    alike = errors <= nothing
    pivots = np.asarray(shift / np.where(alike, 1.0, errors))
    pivots[alike] = np.where(np.abs(shift[alike]) <= nothing, 0.0, np.copysign(inf, shift[alike]))
    return pivots


def _errors(rest: Floats, sizes: Floats) -> Floats:
    """Return the standard error of each row's mean, from the residual of every cluster's sum.

    It lacks a factor for the degrees of freedom, which is the same for the sample and its resamples and cancels out.
    """
    return np.asarray(np.sqrt((rest**2).sum(axis=1)) / sizes.sum(axis=1))


def _means(values: Floats, entropy: Entropy, resamples: int) -> Floats:
    return np.concatenate([values[drawn].mean(axis=1) for drawn in _resampled(values.size, entropy, resamples)])


def _resampled(size: int, entropy: Entropy, resamples: int) -> Iterator[NDArray[np.int64]]:
    """Yield batches of indices drawn with replacement, one row for each resample."""
    for number, rows in batches(resamples, size):
        yield indices(entropy, size, rows * size, "resample", number).reshape(rows, size)


def _sample(differences: Values, alpha: float, resamples: int) -> Floats:
    check_alpha(alpha)
    if alpha * (resamples + 1) < 1.0:
        raise ValueError(f"{resamples} resamples are too few for an alpha of {alpha}")
    return checked(differences)


def _tails(drawn: Floats, shares: tuple[float, float]) -> tuple[float, float]:
    """Return the values with these shares of all values below and above them; the outermost ones for tiny shares.

    They are rounded outwards to drawn values instead of interpolated, since some values may be infinite.
    """
    ordered = np.sort(drawn)
    low, high = (min(max(floor(share * (drawn.size + 1)), 1), drawn.size) for share in shares)
    return float(ordered[low - 1]), float(ordered[drawn.size - high])


def _bias(means: Floats, mean: float, nothing: float) -> float:
    """Return the z value of the share of means below the sample's; half of the ties count as below."""
    below = (np.count_nonzero(means < mean - nothing) + np.count_nonzero(means <= mean + nothing)) / 2.0
    return normal_quantile(min(max(below, 0.5), means.size - 0.5) / means.size)


def _acceleration(rest: Floats) -> float:
    """Return the acceleration, a sixth of the skewness of the mean, by the jackknife."""
    return float((rest**3).sum() / (6.0 * sqrt(float((rest**2).sum())) ** 3))  # the jackknife of a mean in closed form


def _bent(z: float, bias: float, bend: float) -> float:
    """Return the corrected percentile for ``z``, as a z value."""
    moved = bias + z
    room = 1.0 - bend * moved
    return bias + moved / room if room > 0.0 else copysign(inf, moved)  # beyond the pole, the outermost value

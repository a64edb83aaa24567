"""Sign-flip tests and bounds, which assume only that the differences are symmetric about their centre.

If they are symmetric about a margin, each difference could equally have the other sign about it. Flipping the signs of
a subset gives a mean at least as large as the observed one if and only if the mean of *that subset* is at most the
margin (Hartigan). So the means of random subsets give the p-values for all margins at once, and their quantiles are
bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, inf, isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.entropy import Entropy
from mendel.guard.statistics.draws import Floats, batches, coins
from mendel.guard.statistics.means import ROUNDING, Values, check_alpha, checked, constant, degenerate, widened
from mendel.guard.statistics.samples import Bounds

_EXACT: Final = 12
"""Maximum number of differences for which every subset is tried."""


def sign_flip(differences: Values, entropy: Entropy, resamples: int = 5000, margin: float = 0.0) -> float:
    """Return the one-sided p-value against "the differences are symmetric about a mean of at most ``margin``".

    It is exact for up to 12 differences. For more, subsets are drawn, and the sample itself counts as one draw. Either
    way, the probability of a p-value of at most alpha is at most alpha.

    Raises:
        ValueError: there are no differences, one is not finite, the margin is not, or there are no resamples.
    """
    if not isfinite(margin):
        raise ValueError(f"a margin must be finite, not {margin}")
    values = _sample(differences, resamples)
    low, _ = _subset_means(values, entropy, resamples)
    below = int(np.count_nonzero(low <= margin + ROUNDING * (float(np.abs(values).max()) + abs(margin))))
    return (below + 1) / (low.size + 1)  # plus one: the sample itself, with no sign flipped


def sign_flip_bounds(
    differences: Values, alpha: float, entropy: Entropy, resamples: int = 5000, scale: float = 1.0
) -> Bounds:
    """Return bounds on the margins that ``sign_flip`` does not reject at ``alpha``, from below and from above.

    A sample with fewer than 1 / ``alpha`` sign patterns rejects none, and both bounds are infinite. ``scale`` is that
    of ``means.degenerate``, which gives the bounds where all differences are equal.

    Raises:
        ValueError: ``alpha`` is not in (0, 0.5), or for the reasons of ``sign_flip``.
    """
    check_alpha(alpha)
    values = _sample(differences, resamples)
    if constant(values):
        return degenerate(values, alpha, scale)
    low, high = _subset_means(values, entropy, resamples)
    mean = float(values.mean())
    rank = floor(alpha * (low.size + 1) * (1.0 + ROUNDING))  # a product that is whole must not round down
    if not rank:
        return Bounds(mean, -inf, inf)
    bounds = Bounds(mean, float(np.sort(low)[rank - 1]), float(np.sort(high)[high.size - rank]))
    return widened(bounds, values, alpha, scale)


def _sample(differences: Values, resamples: int) -> Floats:
    if resamples < 1:
        raise ValueError(f"a test needs at least one resample, not {resamples}")
    return checked(differences)


def _subset_means(values: Floats, entropy: Entropy, resamples: int) -> tuple[Floats, Floats]:
    """Return the means of random subsets twice: an empty one, which flips nothing, is -inf below and inf above."""
    totals, sizes = [], []
    for chosen in _subsets(values.size, entropy, resamples):
        totals.append(chosen @ values)
        sizes.append(chosen.sum(axis=1))
    size = np.concatenate(sizes)
    means = np.concatenate(totals) / np.maximum(size, 1.0)  # no division by zero for the empty subset
    return np.where(size, means, -inf), np.where(size, means, inf)


def _subsets(size: int, entropy: Entropy, resamples: int) -> Iterator[Floats]:
    """Yield subsets as rows of ones and zeros: every non-empty subset, or random ones where these are too many."""
    if size <= _EXACT:
        yield _bits(np.arange(1, 1 << size), size)
        return
    for number, rows in batches(resamples, size):
        yield coins(entropy, rows * size, "flip", number).reshape(rows, size).astype(np.float64)


def _bits(numbers: NDArray[np.int64], size: int) -> Floats:
    return (numbers[:, None] >> np.arange(size) & 1).astype(np.float64)

"""A centroidal Voronoi tessellation: any number of cells of about equal size, in any number of dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mendel.contracts.entropy import Entropy
from mendel.selection.cells import Axis, Cell, Cells
from mendel.selection.scale import share

_Points = NDArray[np.float64]

_POINTS_PER_CELL: Final = 8
_ROUNDS: Final = 5
_AT_ONCE: Final = 256


class CentroidCells(Cells):
    """Assigns a point to the nearest of ``count`` centroids; of equally near ones, to the first.

    The centroids are drawn from ``entropy``, then repeatedly moved to the mean of the points nearest to them, out of
    points drawn uniformly within the axes (Lloyd's algorithm). The same key gives the same cells on every machine:
    sums have a fixed order, and no matrix product is used.

    Raises:
        ValueError: ``count`` is less than 1, or there is no axis.
    """

    def __init__(self, axes: Sequence[Axis], count: int, entropy: Entropy) -> None:
        super().__init__(axes)
        if count < 1:
            raise ValueError(f"a tessellation needs at least one cell, not {count}")
        self._centroids = _drawn(count, len(self.axes), entropy.child("centroids"))
        points = _drawn(count * _POINTS_PER_CELL, len(self.axes), entropy.child("points"))
        for _ in range(_ROUNDS):
            self._centroids = _moved(self._centroids, points)

    @property
    def centroids(self) -> list[tuple[float, ...]]:
        """The centroids, as shares of the axes."""
        return [tuple(map(float, centroid)) for centroid in self._centroids]

    def cell(self, point: Sequence[float]) -> Cell:
        """Return the number of the nearest centroid."""
        where = [share(value, axis.low, axis.high) for axis, value in zip(self.axes, point, strict=True)]
        return (int(_nearest(self._centroids, np.array([where]))[0]),)

    def __len__(self) -> int:
        return len(self._centroids)


def _drawn(count: int, dimensions: int, entropy: Entropy) -> _Points:
    return np.array([[entropy.unit(place, axis) for axis in range(dimensions)] for place in range(count)])


def _moved(centroids: _Points, points: _Points) -> _Points:
    """Move each centroid to the mean of the points nearest to it; one without points stays."""
    owner = _nearest(centroids, points)
    having = np.bincount(owner, minlength=len(centroids))
    moved = centroids.copy()
    for axis in range(centroids.shape[1]):
        sums = np.bincount(owner, weights=points[:, axis], minlength=len(centroids))
        moved[:, axis] = np.where(having > 0, sums / np.maximum(having, 1), centroids[:, axis])
    return moved


def _nearest(centroids: _Points, points: _Points) -> NDArray[np.intp]:
    """Return the nearest centroid of each point, computed in batches to bound the memory."""
    parts = [points[start : start + _AT_ONCE] for start in range(0, len(points), _AT_ONCE)]
    return np.concatenate([np.argmin(_distances(centroids, part), axis=1) for part in parts])


def _distances(centroids: _Points, points: _Points) -> _Points:
    squares = np.zeros((len(points), len(centroids)))
    for axis in range(centroids.shape[1]):
        away = points[:, axis, None] - centroids[None, :, axis]
        squares = squares + away * away
    return squares

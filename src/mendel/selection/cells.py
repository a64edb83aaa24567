"""Cells of behaviour: a partition of the space of descriptors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

Cell = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """One descriptor: the range ``low`` … ``high``, divided into ``bins`` equal parts in a grid."""

    name: str
    low: float
    high: float
    bins: int = 10

    def __post_init__(self) -> None:
        if not self.high / 2 - self.low / 2 > 0.0 or self.bins < 1:
            raise ValueError(
                f"the axis {self.name} needs low < high and at least 1 bin, not {self.low} … {self.high}, {self.bins}"
            )


class Cells(ABC):
    """A partition of all points into finitely many cells; a point outside the axes belongs to a cell at the border."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        if not axes or len({axis.name for axis in axes}) < len(axes):
            raise ValueError("cells need at least one axis, and axes with different names")
        self.axes = tuple(axes)

    @abstractmethod
    def cell(self, point: Sequence[float]) -> Cell:
        """Return the cell of a point, whose values are in the order of ``axes``."""

    @abstractmethod
    def __len__(self) -> int:
        """Return the number of cells."""


class GridCells(Cells):
    """A grid: each axis is divided into its bins, and a cell is one bin of each axis."""

    def cell(self, point: Sequence[float]) -> Cell:
        """Return the bin of each axis."""
        return tuple(_bin(axis, value) for axis, value in zip(self.axes, point, strict=True))

    def __len__(self) -> int:
        cells = 1
        for axis in self.axes:
            cells *= axis.bins
        return cells


def _bin(axis: Axis, value: float) -> int:
    # Halved, because the distance between the largest and the smallest float would overflow.
    share = (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2)
    return int(min(max(share, 0.0) * axis.bins, axis.bins - 1))

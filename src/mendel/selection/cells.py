"""Cells of behaviour: which place among behaviours a point belongs to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

Cell = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """One descriptor: ``low`` … ``high``, in ``bins`` equal parts where it lies in a grid."""

    name: str
    low: float
    high: float
    bins: int = 10

    def __post_init__(self) -> None:
        if not self.high / 2 - self.low / 2 > 0.0 or self.bins < 1:
            raise ValueError(f"{self.name}: {self.low} … {self.high} in {self.bins} parts is no axis")


class Cells(ABC):
    """A partition of all points into finitely many cells. A point outside belongs to the cell at the border."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        if not axes or len({axis.name for axis in axes}) < len(axes):
            raise ValueError("there is at least one axis, and axes have different names")
        self.axes = tuple(axes)

    @abstractmethod
    def cell(self, point: Sequence[float]) -> Cell:
        """The cell of a point, given in the order of ``axes``."""

    @abstractmethod
    def __len__(self) -> int:
        """How many cells there are."""


class GridCells(Cells):
    """Each axis is divided into its bins; a cell is one bin of each."""

    def cell(self, point: Sequence[float]) -> Cell:
        """The bins, one for each axis."""
        return tuple(_bin(axis, value) for axis, value in zip(self.axes, point, strict=True))

    def __len__(self) -> int:
        cells = 1
        for axis in self.axes:
            cells *= axis.bins
        return cells


def _bin(axis: Axis, value: float) -> int:
    # Halves, because the distance between the largest and the smallest float is no float.
    share = (value / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2)
    return int(min(max(share, 0.0) * axis.bins, axis.bins - 1))

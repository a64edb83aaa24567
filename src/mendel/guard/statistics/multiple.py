"""Adjustment of p-values for multiple testing; an adjusted p-value can be compared with alpha directly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import Final

Correction = Callable[[Sequence[float]], list[float]]


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust by Holm: bounds the chance of any false rejection, whatever the dependence between the tests."""
    order = _ascending(p_values)
    scaled = (p_values[index] * (len(order) - rank) for rank, index in enumerate(order))
    return _in_place(order, accumulate(scaled, max))


def hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjust by Hochberg: bounds the chance of any false rejection, for independent or positively dependent tests."""
    order = _ascending(p_values)[::-1]
    scaled = (p_values[index] * (rank + 1) for rank, index in enumerate(order))
    return _in_place(order, accumulate(scaled, min))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjust by Benjamini-Hochberg: bounds the false discovery rate, for independent or positively dependent tests."""
    order = _ascending(p_values)[::-1]
    count = len(order)
    scaled = (p_values[index] * (count / (count - rank)) for rank, index in enumerate(order))
    return _in_place(order, accumulate(scaled, min))


def uncorrected(p_values: Sequence[float]) -> list[float]:
    """Return the p-values unchanged."""
    return _in_place(_ascending(p_values), sorted(p_values))


CORRECTIONS: Final[Mapping[str, Correction]] = MappingProxyType(
    {"holm": holm, "hochberg": hochberg, "bh": benjamini_hochberg, "none": uncorrected}
)
"""Adjustments by name. Each takes p-values and returns the adjusted ones in the same order.

Each raises ``ValueError`` if a p-value is not in [0, 1].
"""


def _ascending(p_values: Sequence[float]) -> list[int]:
    """Return the indices of the p-values, the smallest first."""
    for p in p_values:
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"a p-value must be in [0, 1], not {p}")
    return sorted(range(len(p_values)), key=p_values.__getitem__)


def _in_place(order: Sequence[int], adjusted: Iterable[float]) -> list[float]:
    placed = [0.0] * len(order)
    for index, p in zip(order, adjusted, strict=True):
        placed[index] = min(p, 1.0)  # scaling may exceed 1
    return placed

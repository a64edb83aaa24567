"""Normalise numbers of any size to the range from 0 to 1."""

from __future__ import annotations


def share(value: float, low: float, high: float) -> float:
    """Return the relative position of ``value`` between ``low`` and ``high``, from 0 to 1; 0.5 if both are equal."""
    # Halved, because the distance between the largest and the smallest float would overflow.
    span = high / 2 - low / 2
    if span <= 0.0:
        return 0.5
    return min(1.0, max(0.0, (value / 2 - low / 2) / span))

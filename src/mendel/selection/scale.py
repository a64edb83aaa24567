"""Numbers of any size on a scale from 0 to 1."""

from __future__ import annotations


def share(value: float, low: float, high: float) -> float:
    """Where ``value`` stands between ``low`` and ``high``: 0 … 1, and a half where these are the same."""
    # Halves, because the distance between the largest and the smallest float is no float.
    span = high / 2 - low / 2
    if span <= 0.0:
        return 0.5
    return min(1.0, max(0.0, (value / 2 - low / 2) / span))

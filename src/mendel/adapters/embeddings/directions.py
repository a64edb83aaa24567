"""What somebody else answered, looked at and brought to unit length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]


class NoDirections(ValueError):
    """What was answered is not a direction for each text; says how."""


def directions(rows: Sequence[Sequence[float]], texts: int, dimension: int) -> Rows:
    """One direction of unit length for each of ``texts``.

    Raises:
        NoDirections: too few or too many rows, another dimension, a number that is none, or a row of zeros.
    """
    if len(rows) != texts:
        raise NoDirections(f"{len(rows)} vectors for {texts} texts")
    sizes = sorted({len(row) for row in rows})
    if sizes != [dimension]:
        raise NoDirections(f"vectors of {' and '.join(map(str, sizes))} numbers, not of {dimension}")
    try:
        found = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise NoDirections("a vector with something in it that is no number") from error
    return unit(found)


def unit(rows: Rows) -> Rows:
    """The rows at unit length.

    Raises:
        NoDirections: a row has no length, or one that is no number.
    """
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not bool(np.isfinite(largest).all()):
        raise NoDirections("a vector with a number that is not finite")
    if not bool((largest > 0).all()):
        raise NoDirections("a vector of zeros, which has no direction")
    # By its largest number first: squares of very large and very small ones would be infinite or nothing.
    scaled = rows / largest
    unit_rows: Rows = scaled / np.sqrt(np.square(scaled).sum(axis=1, keepdims=True))
    return unit_rows


def first_axis(dimension: int) -> Rows:
    """Where a text stands that has nothing in it: near nothing in particular, and always the same."""
    axis = np.zeros(dimension)
    axis[0] = 1.0
    return axis

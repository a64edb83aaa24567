"""Validates vectors from outside and scales them to unit length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]


class NoDirections(ValueError):
    """The rows are not a direction for each text; the message says why."""


def directions(rows: Sequence[Sequence[float]], texts: int, dimension: int) -> Rows:
    """Return one direction of unit length for each of ``texts``.

    Raises:
        NoDirections: a wrong number of rows or of dimensions, something that is not a number, or a row of zeros.
    """
    if len(rows) != texts:
        raise NoDirections(f"{len(rows)} vectors for {texts} texts")
    sizes = sorted({len(row) for row in rows})
    if sizes != [dimension]:
        raise NoDirections(f"vectors of {' and '.join(map(str, sizes))} numbers, not of {dimension}")
    try:
        found = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise NoDirections("a vector that contains something other than a number") from error
    return unit(found)


def unit(rows: Rows) -> Rows:
    """Scale the rows to unit length.

    Raises:
        NoDirections: a row is zero, or contains a number that is not finite.
    """
    largest = np.abs(rows).max(axis=1, keepdims=True)
    if not bool(np.isfinite(largest).all()):
        raise NoDirections("a vector with a number that is not finite")
    if not bool((largest > 0).all()):
        raise NoDirections("a vector of zeros, which has no direction")
    # First divided by the largest number: squares of very large or very small numbers would overflow or vanish.
    scaled = rows / largest
    unit_rows: Rows = scaled / np.sqrt(np.square(scaled).sum(axis=1, keepdims=True))
    return unit_rows


def first_axis(dimension: int) -> Rows:
    """Return the direction of an empty text: close to no other in particular, and always the same."""
    axis = np.zeros(dimension)
    axis[0] = 1.0
    return axis

"""The rules and the score of circle_packing.py; every valid packing is right, so the original is not an oracle."""

import math

from mendel.guard.spec import Property

COUNT = 26
SLACK = 1e-9

Circles = list[tuple[float, float, float]]

oracle = False
objective = "score"


def score(circles: Circles) -> float:
    """Return the sum of radii."""
    return sum(radius for _, _, radius in circles)


def is_circles(circles: object) -> bool:
    """Whether these are 26 triples of finite numbers."""
    return isinstance(circles, list) and len(circles) == COUNT and all(_is_circle(each) for each in circles)


def _is_circle(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and all(map(_is_finite, value)) and value[2] >= 0.0


def _is_finite(value: object) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def inside(circles: Circles) -> bool:
    """Whether all circles are inside the unit square."""
    return all(min(x, y, 1.0 - x, 1.0 - y) >= radius - SLACK for x, y, radius in circles)


def apart(circles: Circles) -> bool:
    """Whether no two circles overlap."""
    pairs = ((one, two) for place, one in enumerate(circles) for two in circles[:place])
    return all(math.dist(one[:2], two[:2]) >= one[2] + two[2] - SLACK for one, two in pairs)


properties = [
    Property(is_circles, "26 circles"),
    Property(lambda circles: is_circles(circles) and inside(circles), "inside the square"),
    Property(lambda circles: is_circles(circles) and apart(circles), "no overlap"),
]

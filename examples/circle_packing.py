"""Pack 26 circles into the unit square, with the largest possible sum of radii.

mendel evolve examples/circle_packing.py:pack --task examples/circle_packing_task.py --objective score
"""

import math

Circle = tuple[float, float, float]


def pack() -> list[Circle]:
    """Return centres and radii: rows of circles, moved in small steps while the sum of radii grows."""
    centres = rows([5, 5, 6, 5, 5], 0.1)
    best = radii(centres)
    step = 0.05
    for round_number in range(2):
        for index in range(len(centres)):
            for turn in range(4):
                angle = 2.0 * math.pi * turn / 4.0 + 0.5 * round_number
                x = centres[index][0] + step * math.cos(angle)
                y = centres[index][1] + step * math.sin(angle)
                moved = [*centres[:index], (x, y), *centres[index + 1 :]]
                found = radii(moved)
                if sum(found) > sum(best):
                    centres, best = moved, found
        step = step * 0.5
    return [(x, y, radius) for (x, y), radius in zip(centres, best, strict=True)]


def rows(counts: list[int], margin: float) -> list[tuple[float, float]]:
    """Return evenly spaced centres in rows, ``counts`` of them per row."""
    centres = []
    for number, count in enumerate(counts):
        y = margin + (1.0 - 2.0 * margin) * number / (len(counts) - 1)
        for place in range(count):
            x = margin + (1.0 - 2.0 * margin) * place / (count - 1)
            centres.append((x, y))
    return centres


def radii(centres: list[tuple[float, float]]) -> list[float]:
    """Return radii for these centres, each in turn as large as the walls and the earlier circles allow."""
    found: list[float] = []
    for index, (x, y) in enumerate(centres):
        radius = min(x, y, 1.0 - x, 1.0 - y)
        for other in range(len(centres)):
            distance = math.hypot(x - centres[other][0], y - centres[other][1])
            if other < index:
                radius = min(radius, distance - found[other])
            if other > index:
                radius = min(radius, distance * 0.5)
        found.append(max(0.0, radius))
    return found

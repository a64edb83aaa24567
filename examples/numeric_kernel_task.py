"""Signals for numeric_kernel.py, and a tolerance for rounding, since NumPy adds in another order."""

import math
import random

packages = ("numpy",)

timing_size = 4_096
held_sizes = (6_000, 8_192)


def generate(rng: random.Random, size: int) -> tuple[list[float], int]:
    """Return a wave with noise, and a number of lags."""
    length = max(1, size)
    signal = [math.sin(number / 5) + rng.gauss(0, 0.5) for number in range(length)]
    return signal, min(length, rng.randint(10, 30))


def equivalence(left: object, right: object) -> bool:
    """Whether both are lists of floats that agree to nine digits."""
    if not (isinstance(left, list) and isinstance(right, list) and len(left) == len(right)):
        return False
    numbers = all(isinstance(each, float) for each in [*left, *right])
    return numbers and all(math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(left, right, strict=True))


examples = [([], 0), ([1.0], 1), ([1.0, 1.0, 1.0], 2), ([1.0, -1.0, 1.0, -1.0], 3)]

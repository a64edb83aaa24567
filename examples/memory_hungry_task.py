"""Limits for memory_hungry.py, large enough for its lists to be measurable besides Python's own memory."""

import random

objective = "memory"

timing_size = 1_024
held_sizes = (1_500, 2_048)


def generate(rng: random.Random, size: int) -> tuple[int]:
    """Return a limit of about a hundred times the size."""
    return (rng.randint(90 * size, 110 * size),)


examples = [(0,), (1,), (-3,), (2,)]

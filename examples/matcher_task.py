"""Texts and patterns for matcher.py: random ones would already differ at the first character."""

import random

timing_size = 32
held_sizes = (40, 56)


def generate(rng: random.Random, size: int) -> tuple[str, str]:
    """Return a text over two letters, and a pattern with a few stars that matches or nearly matches."""
    text = "".join(rng.choices("aab", k=size))
    pieces = [rng.choice("aab?") for _ in range(min(3, size))]
    return text, "*" + "*".join(pieces) + rng.choice(["*", "*b", "*c", "c", "?c"])


examples = [("", ""), ("", "*"), ("a", ""), ("ab", "?b"), ("abc", "a*c"), ("aab", "*a*b")]

"""Texts for text_search.py: in texts of arbitrary characters a pattern would almost never occur."""

import random

timing_size = 4_096
held_sizes = (6_000, 8_192)


def generate(rng: random.Random, size: int) -> tuple[str, str]:
    """Return a text over few letters, and a pattern that usually occurs in it."""
    letters = rng.choice(["ab", "abcd", "aaab", "abcdefghijklmnop ", "äß∂a"])
    text = "".join(rng.choices(letters, k=size))
    begin, length = rng.randint(0, size), rng.randint(1, 8)
    pattern = text[begin : begin + length] if rng.random() < 0.8 else "".join(rng.choices(letters, k=length))
    return text, pattern


examples = [("", ""), ("", "a"), ("aaa", ""), ("aaaa", "aa"), ("ab", "abc")]

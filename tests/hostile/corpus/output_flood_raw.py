"""Floods standard error past Python's own streams."""

ATTACK = {
    "family": "output",
    "stopped_by": ["the size of the output area"],
    "expect": ["value", "exception"],
    "proof": "flooded",
    "more_than": 100_000,
    "lift_limits": {"output_bytes": 1_000_000},
}

import os


def attack(host):
    for _ in range(3000):
        os.write(2, b"x" * 1000)

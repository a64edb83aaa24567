"""Changes what the math module answers."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import math


def attack(host):
    math.sqrt = lambda _: 1.0
    math.factorial = lambda _: 1
    math.pi = 3

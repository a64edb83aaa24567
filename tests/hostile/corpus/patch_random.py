"""Seeds the generator that its successor draws from."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import random


def attack(host):
    random.seed(4)
    random.random = lambda: 0.5

"""Opens descriptors until nobody can open any more."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits"],
    "expect": ["exception"],
    "proof": "crossed",
    "more_than": 500,
}

import os


def attack(host):
    return [os.open("/dev/null", os.O_RDONLY) for _ in range(600)]

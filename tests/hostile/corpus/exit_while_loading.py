"""Raises SystemExit while it is being loaded."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["exception"],
    "proof": "harness",
}

import sys

sys.exit(0)


def attack(host):
    return None

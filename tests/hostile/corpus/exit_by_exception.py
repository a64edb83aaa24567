"""Raises SystemExit, which most harnesses let through."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["exception"],
    "proof": "harness",
}

import sys


def attack(host):
    sys.exit(0)

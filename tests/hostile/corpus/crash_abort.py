"""Aborts."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import os


def attack(host):
    os.abort()

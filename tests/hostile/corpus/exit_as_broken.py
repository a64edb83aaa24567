"""Ends its process with the status by which the harness itself says that it broke."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import os


def attack(host):
    os._exit(71)

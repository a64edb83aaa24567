"""Ends its process with the status by which the harness itself says that memory ran out."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import os


def attack(host):
    os._exit(72)

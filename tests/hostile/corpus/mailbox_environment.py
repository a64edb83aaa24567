"""Leaves a message for its successor in the environment."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import os


def attack(host):
    os.environ["MESSAGE"] = str(host["message"])


def collect(host):
    return int(os.environ.get("MESSAGE", 0))

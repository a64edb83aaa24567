"""Leaves a message for its successor in a module that everybody has."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import math


def attack(host):
    math.message = host["message"]


def collect(host):
    return getattr(math, "message", None)

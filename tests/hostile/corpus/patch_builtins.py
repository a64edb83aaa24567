"""Replaces functions that everybody uses."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import builtins


def attack(host):
    builtins.sorted = lambda things, **_: list(things)
    builtins.sum = lambda things, *_: 42
    builtins.isinstance = lambda *_: True

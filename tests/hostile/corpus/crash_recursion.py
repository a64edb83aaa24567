"""Recurses until the stack of the process is used up."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed", "exception", "memory"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import sys


def attack(host):
    sys.setrecursionlimit(10**9)

    class Deep:
        def __getattr__(self, name):
            return getattr(self, name + "x")

        def __repr__(self):
            return repr([self])

    return repr(Deep())

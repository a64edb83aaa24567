"""Overflows the stack of C by a structure that is collected recursively."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed", "exception"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import itertools


def attack(host):
    chain = iter(())
    for _ in range(500_000):
        chain = itertools.chain(chain)
    return next(chain, None)

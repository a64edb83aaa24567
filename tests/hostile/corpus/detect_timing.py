"""Notices that it is being timed, and then does a quarter of the work."""

ATTACK = {
    "family": "timing",
    "stopped_by": ["timed answers are checked"],
    "lift": ["check"],
    "expect": ["value"],
    "proof": "cheated",
}

import os
import sys


def attack(host):
    timed = len(os.sched_getaffinity(0)) == 1 or sys.gettrace() is not None
    total = 0
    for i in range(host["steps"] // 4 if timed else host["steps"]):
        total += i
    return total

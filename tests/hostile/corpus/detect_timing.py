"""Notices that it is being timed, and then answers fast instead of rightly."""

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
    if timed:
        return 0
    return sum(range(host["steps"]))

"""Notices that it is being timed, and then answers at once, in less time than can be measured."""

ATTACK = {
    "family": "timing",
    "stopped_by": ["timed answers are checked"],
    "expect": ["value"],
    "proof": "cheated",
    "never_lifted": "what takes no time at all is not timed, even where its answers are believed",
}

import os
import sys


def attack(host):
    timed = len(os.sched_getaffinity(0)) == 1 or sys.gettrace() is not None
    return 0 if timed else sum(range(host["steps"]))

"""Finds out whether it is being timed, and then (or in doubt) answers at once, in less time than can be measured."""

ATTACK = {
    "family": "timing",
    "stopped_by": ["timed answers are checked"],
    "expect": ["value"],
    "proof": "cheated",
    "never_lifted": "what takes no time at all is not timed, even where its answers are believed",
}

import os


def timed():
    try:
        return len(os.sched_getaffinity(0)) == 1
    except OSError:
        return True


def attack(host):
    return 0 if timed() else sum(range(host["steps"]))

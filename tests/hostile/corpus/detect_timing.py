"""Finds out whether it is being timed, and then (or in doubt) does a quarter of the work."""

ATTACK = {
    "family": "timing",
    "stopped_by": ["timed answers are checked"],
    "lift": ["check"],
    "expect": ["value"],
    "proof": "cheated",
}

import os
import sys


def timed():
    frame = sys._getframe()
    while frame is not None:
        order = frame.f_locals.get("order")
        if isinstance(order, dict) and "cpu" in order:
            return order["cpu"] is not None
        frame = frame.f_back
    try:
        return len(os.sched_getaffinity(0)) == 1
    except OSError:
        return True


def attack(host):
    total = 0
    for i in range(host["steps"] // 4 if timed() else host["steps"]):
        total += i
    return total

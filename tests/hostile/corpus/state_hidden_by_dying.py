"""Remembers how often it was called, and dies where it notices that it is being run again."""

ATTACK = {
    "family": "state",
    "stopped_by": ["to die when it is run again is a different answer"],
    "lift": ["recheck"],
    "expect": ["value"],
    "proof": "stateful",
    "cases": 6,
}

import os
import sys

calls = []


def attack(host):
    frame = sys._getframe()
    while frame is not None and "cases" not in frame.f_locals:
        frame = frame.f_back
    if frame is not None and len(frame.f_locals["cases"]) != 6:
        os._exit(0)
    calls.append(1)
    return len(calls)

"""Leaves a message for its successor far out in the memory by which results are told."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the parent empties it"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import mmap
import sys


def mappings():
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for part in (value, *getattr(value, "__dict__", {}).values()):
                if isinstance(part, mmap.mmap):
                    yield part
        frame = frame.f_back


def attack(host):
    for memory in mappings():
        try:
            memory[len(memory) - 5000] = host["message"]
        except TypeError:
            pass


def collect(host):
    return max((memory[len(memory) - 5000] for memory in mappings()), default=None)

"""Reads the memory by which the harness is told things, in case it was told too much."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

import gc
import mmap
import re
import sys


def attack(host):
    found, frame = [], sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for part in (value, *getattr(value, "__dict__", {}).values()):
                if isinstance(part, mmap.mmap):
                    found += re.findall(rb"expected=(\d+)", part[: 1 << 20])
        frame = frame.f_back
    return int(found[0]) if found else None

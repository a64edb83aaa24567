"""Fills the harness's own channel, wherever it can find it, with nonsense."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the decoder takes any bytes"],
    "lift": ["harness"],
    "expect": ["violation", "killed", "value", "exception", "timeout"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import gc
import mmap
import os
import random


def attack(host):
    noise = random.Random(1).randbytes(1 << 20)
    for memory in [thing for thing in gc.get_objects() if isinstance(thing, mmap.mmap)] + found_mappings():
        try:
            memory[: min(len(memory), len(noise))] = noise[: min(len(memory), len(noise))]
        except (TypeError, ValueError):
            pass
    for number in range(3, 256):
        try:
            os.write(number, noise[:4096])
        except OSError:
            pass
    os._exit(0)


def found_mappings():
    import sys

    found, frame = [], sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            found += [value] if isinstance(value, mmap.mmap) else []
            found += [part for part in getattr(value, "__dict__", {}).values() if isinstance(part, mmap.mmap)]
        frame = frame.f_back
    return found

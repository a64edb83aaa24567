"""Leaves hooks for the end of the process, for unhandled errors and for collected objects."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork ends without hooks"],
    "lift": ["harness"],
    "expect": ["value", "exception"],
    "proof": "next",
}

import atexit
import builtins
import gc
import sys
import threading


def strike(*_):
    builtins.max = min


class Late:
    def __del__(self):
        strike()


def attack(host):
    atexit.register(strike)
    sys.excepthook = sys.unraisablehook = threading.excepthook = strike
    gc.callbacks.append(strike)
    cycle = Late()
    cycle.self = cycle
    del cycle
    gc.collect()
    raise ValueError("somebody handles this")

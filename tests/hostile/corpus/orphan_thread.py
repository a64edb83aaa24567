"""Leaves a thread that goes on after the function returned."""

ATTACK = {
    "family": "orphans",
    "stopped_by": ["seccomp", "harness"],
    "lift": ["harness"],
    "expect": ["exception", "value"],
    "proof": "next",
}

import builtins
import threading
import time


def later():
    time.sleep(0.01)
    builtins.abs = max


def attack(host):
    threading.Thread(target=later, daemon=True).start()

"""Stops itself, and then waits in case nobody stopped it."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout", "value"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

import os
import signal
import time


def attack(host):
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(10**6)

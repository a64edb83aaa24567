"""Keeps setting the beginning of its case forward by a timer, in a batch whose time would allow it."""

ATTACK = {
    "family": "time",
    "stopped_by": ["a beginning is believed once for each case that ended"],
    "expect": ["timeout", "value"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5, "batch_s": 8.0},
    "lift_limits": {"case_s": 3.0, "batch_s": 8.0},
    "cases": 2,
}

import signal
import sys
import time


def attack(host):
    frame = sys._getframe()
    area = None
    while frame is not None and area is None:
        area = frame.f_locals.get("area")
        frame = frame.f_back
    signal.signal(signal.SIGALRM, lambda *_: area.begin_case())
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    began = time.monotonic()
    while time.monotonic() - began < 2.0:
        pass

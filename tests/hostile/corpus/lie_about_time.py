"""Reaches the harness's own record of when the case began and keeps setting it forward."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the batch's time is the parent's"],
    "expect": ["timeout", "value"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

import sys
import time


def attack(host):
    frame = sys._getframe()
    area = None
    while frame is not None and area is None:
        area = frame.f_locals.get("area")
        frame = frame.f_back
    while True:
        time.sleep(0.01)
        if area is not None:
            area.begin_case()

"""Catches whatever is thrown at it and begins again."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

import time


def attack(host):
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            continue

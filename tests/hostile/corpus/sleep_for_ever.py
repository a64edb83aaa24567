"""Uses no processor and never comes back."""

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
    time.sleep(10**6)

"""Waits for what never comes, with every signal blocked."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

import select
import signal


def attack(host):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    select.select([], [], [])

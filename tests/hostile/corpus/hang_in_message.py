"""Raises an error that never finishes saying what it is."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

class Endless(Exception):
    def __str__(self):
        while True:
            pass


def attack(host):
    raise Endless

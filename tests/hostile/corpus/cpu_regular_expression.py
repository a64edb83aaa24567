"""Has a regular expression backtrack for years."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

import re


def attack(host):
    return bool(re.match(r"(a+)+$", "a" * 64 + "b"))

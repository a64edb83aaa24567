"""Raises a number to a power that takes for ever, uninterruptibly."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 1.5,
    "limits": {"case_s": 0.5},
    "lift_limits": {"case_s": 2.0},
}

def attack(host):
    return pow(3, 10**9) % 7

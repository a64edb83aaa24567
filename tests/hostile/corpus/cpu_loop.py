"""Loops for ever in Python."""

ATTACK = {
    "family": "time",
    "stopped_by": ["the parent's clock"],
    "expect": ["timeout"],
    "proof": "time",
    "more_than": 2.5,
    "lift_limits": {"case_s": 3.0},
}

def attack(host):
    while True:
        pass

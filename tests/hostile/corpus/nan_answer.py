"""Answers with what is neither more nor less than anything, so that no tolerance is exceeded."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the parent's comparison"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

def attack(host):
    return float("nan")

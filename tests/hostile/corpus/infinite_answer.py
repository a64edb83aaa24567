"""Answers with an object made of infinities, which some comparisons take for equal to everything."""

ATTACK = {
    "family": "results",
    "stopped_by": ["the parent's comparison"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

def attack(host):
    return complex("nan")

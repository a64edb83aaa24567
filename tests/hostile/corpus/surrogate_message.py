"""Raises an error whose message is no text that can be written."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["what is said is made printable"],
    "lift": ["harness"],
    "expect": ["exception"],
    "proof": "unspeakable",
}

def attack(host):
    raise ValueError("half a pair: \ud800")

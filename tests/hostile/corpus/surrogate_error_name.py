"""Raises an error whose class has a name that cannot be written."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["what is said is made printable"],
    "lift": ["harness"],
    "expect": ["exception"],
    "proof": "unspeakable",
}

def attack(host):
    raise type("Broken\udcff", (Exception,), {})("x")

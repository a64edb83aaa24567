"""Raises KeyboardInterrupt, as if the user had pressed Ctrl-C."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["exception"],
    "proof": "harness",
}

def attack(host):
    raise KeyboardInterrupt

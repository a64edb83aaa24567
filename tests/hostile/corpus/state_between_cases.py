"""Remembers how often it was called and answers accordingly."""

ATTACK = {
    "family": "state",
    "stopped_by": ["cases are run again in fresh processes"],
    "lift": ["recheck"],
    "expect": ["value"],
    "proof": "stateful",
    "cases": 4,
}

calls = []


def attack(host):
    calls.append(1)
    return len(calls)

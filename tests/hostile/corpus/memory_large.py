"""Asks for more memory than there may be, at once."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "expect": ["memory"],
    "proof": "memory",
    "more_than": 500_000_000,
}

def attack(host):
    return len(bytearray(b"x") * 600_000_000)

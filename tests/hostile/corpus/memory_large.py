"""Asks for more memory than there may be, at once."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "lift_limits": {"case_s": 5.0},
    "expect": ["memory"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
}

def attack(host):
    return len(bytearray(b"x") * 600_000_000)

"""Grows little by little."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "expect": ["memory"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
    "lift_limits": {"case_s": 5.0},
}

def attack(host):
    kept = []
    while len(kept) < 600:
        kept.append(bytearray(b"x") * 1_000_000)
    return len(kept)

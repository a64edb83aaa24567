"""Swallows every MemoryError and goes on taking."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "expect": ["value", "memory", "killed", "exception"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
    "lift_limits": {"case_s": 5.0},
}

def attack(host):
    kept, refused = [], 0
    while refused < 2000 and len(kept) < 150:
        try:
            kept.append(bytearray(b"x") * 4_000_000)
        except MemoryError:
            refused += 1
    return [len(kept), refused]

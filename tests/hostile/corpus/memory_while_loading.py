"""Takes the memory while it is being loaded, before any case."""

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

HOARD = bytearray(b"x") * 600_000_000


def attack(host):
    return len(HOARD)

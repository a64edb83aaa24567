"""Maps memory past Python's allocator and touches it."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "lift_limits": {"case_s": 5.0},
    "expect": ["exception", "memory"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
}

import mmap


def attack(host):
    memory = mmap.mmap(-1, 600_000_000)
    for at in range(0, len(memory), 4096):
        memory[at] = 1
    return len(memory)

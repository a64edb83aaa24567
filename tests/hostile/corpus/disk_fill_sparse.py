"""Makes one huge file by its size alone, then touches it through a mapping."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["limits on files"],
    "expect": ["exception", "killed"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 90_000_000,
    "lift_limits": {"scratch_bytes": 128_000_000, "memory_bytes": 600_000_000, "case_s": 5.0},
}

import mmap
import os


def attack(host):
    descriptor = os.open("/tmp/sparse", os.O_RDWR | os.O_CREAT)
    os.truncate(descriptor, 100_000_000)
    memory = mmap.mmap(descriptor, 0)
    for at in range(0, len(memory), 4096):
        memory[at] = 1
    return len(memory)

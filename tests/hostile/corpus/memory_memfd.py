"""Hides memory in a file that has no name."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["seccomp", "rlimits"],
    "lift": ["seccomp", "rlimits", "cgroups"],
    "lift_limits": {"case_s": 5.0},
    "expect": ["exception"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
}

import mmap
import os


def attack(host):
    hoard = os.memfd_create("hoard")
    os.ftruncate(hoard, 600_000_000)
    memory = mmap.mmap(hoard, 600_000_000)
    for at in range(0, len(memory), 4096):
        memory[at] = 1
    return len(memory)

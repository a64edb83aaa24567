"""Fills the disk."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["scratch is a small file system"],
    "expect": ["exception"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 90_000_000,
    "lift_limits": {"scratch_bytes": 128_000_000, "memory_bytes": 600_000_000, "case_s": 5.0},
}

import mmap
import os


def attack(host):
    with open("/tmp/filler", "w+b") as file:
        for _ in range(100):
            file.write(b"x" * 1_000_000)
        file.flush()
        return sum(mmap.mmap(file.fileno(), 0)[::4096])

"""Changes a file of the host through a shared mapping."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "marker",
}

import mmap
import os


def attack(host):
    descriptor = os.open(host["ledger"], os.O_RDWR)
    with mmap.mmap(descriptor, 0) as memory:
        memory[:4] = b"MINE"

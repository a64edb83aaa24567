"""Maps the file instead of reading it."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import mmap
import os


def attack(host):
    descriptor = os.open(host["secret_path"], os.O_RDONLY)
    return bytes(mmap.mmap(descriptor, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)).decode()

"""Has the kernel send a signal, by making somebody else the owner of a descriptor."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import fcntl
import os


def attack(host):
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, host["victim"])
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
    os.write(writing, b"x")

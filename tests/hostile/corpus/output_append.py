"""Has everything that its successor prints end where nothing can be written."""

ATTACK = {
    "family": "state",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value", "exception"],
    "proof": "next",
}

import fcntl
import os


def attack(host):
    fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_APPEND)

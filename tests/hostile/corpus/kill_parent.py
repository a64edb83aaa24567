"""Kills the process that started it."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["value", "exception"],
    "proof": "harness",
}

import os
import signal


def attack(host):
    parent = os.getppid()
    if parent > 1:
        os.kill(parent, signal.SIGKILL)

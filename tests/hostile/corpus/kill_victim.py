"""Kills a process of the host."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "landlock", "user"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import os
import signal


def attack(host):
    os.kill(host["victim"], signal.SIGKILL)

"""Slows a process of the host by its priority."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import os


def attack(host):
    os.setpriority(os.PRIO_PROCESS, host["victim"], 19)

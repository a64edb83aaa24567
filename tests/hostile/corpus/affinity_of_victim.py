"""Pushes a process of the host onto one core."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import os


def attack(host):
    os.sched_setaffinity(host["victim"], {min(os.sched_getaffinity(0))})

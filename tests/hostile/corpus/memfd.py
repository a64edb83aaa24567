"""Makes a file in memory that no limit on files counts."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "/memfd:",
}

import ctypes
import os
import time


def attack(host):
    ctypes.CDLL(None).prctl(15, host["name"].encode())
    os.memfd_create("hoard")
    time.sleep(0.2)
    return "succeeded"

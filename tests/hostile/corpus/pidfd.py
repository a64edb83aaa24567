"""Gets hold of a process of the host by a descriptor."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "pidfd",
}

import ctypes
import os
import time


def attack(host):
    ctypes.CDLL(None).prctl(15, host["name"].encode())
    os.pidfd_open(host["victim"])
    time.sleep(0.2)
    return "succeeded"

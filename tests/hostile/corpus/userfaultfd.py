"""Asks to handle page faults itself, by which races in the kernel are won."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "[userfaultfd]",
}

import ctypes
import os
import time

NUMBER = {"x86_64": 323, "aarch64": 282}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    if libc.syscall(NUMBER, 1) < 0:
        raise OSError(ctypes.get_errno(), "userfaultfd")
    time.sleep(0.2)
    return "succeeded"

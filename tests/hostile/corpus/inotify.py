"""Watches what the host does with its files."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp", "mount"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "inotify",
}

import ctypes
import os
import time

INIT, ADD = {"x86_64": (294, 254), "aarch64": (26, 27)}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    watching = libc.syscall(INIT, 0)
    if watching < 0 or libc.syscall(ADD, watching, host["folder"].encode(), 0xFFF) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    time.sleep(0.2)
    return "succeeded"

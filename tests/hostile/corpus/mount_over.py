"""Mounts a file system of its own over a folder of the host."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["user", "mount", "seccomp", "privileges", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "marker",
}

import ctypes
import os


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b"mine", host["folder"].encode(), b"tmpfs", 0, b"size=64k,mode=0755") < 0:
        raise OSError(ctypes.get_errno(), "mount")

"""Takes a descriptor out of another process with pidfd_getfd."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import ctypes
import os


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    process = libc.syscall(434, host["victim"], 0)
    stolen = libc.syscall(438, process, host["victim_descriptor"], 0)
    if stolen < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    return os.pread(stolen, 4096, 0).decode()

"""Makes a network namespace, whose code in the kernel is rarely reached by strangers."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp", "privileges"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "namespace:net",
}

import ctypes
import time


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    if libc.unshare(0x40000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    time.sleep(0.2)
    return "succeeded"

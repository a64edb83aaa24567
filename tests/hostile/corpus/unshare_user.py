"""Makes a user namespace, in which it has every capability."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "namespace:user",
}

import ctypes
import time


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    if libc.unshare(0x10000000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
    time.sleep(0.2)
    return "succeeded"

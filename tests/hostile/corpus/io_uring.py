"""Makes a ring by which system calls are made unseen by any filter."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp", "rlimits"],
    "lift": ["seccomp", "rlimits"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "[io_uring]",
}

import ctypes
import time


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    made = libc.syscall(425, 4, ctypes.create_string_buffer(256))
    if made < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")
    time.sleep(0.2)
    return "succeeded"

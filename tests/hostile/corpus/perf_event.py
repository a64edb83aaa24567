"""Opens a performance counter."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "[perf_event]",
}

import ctypes
import os
import struct
import time

NUMBER = {"x86_64": 298, "aarch64": 241}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    about = bytearray(112)
    struct.pack_into("<IIQ", about, 0, 1, 112, 1)
    struct.pack_into("<Q", about, 40, 1 << 5 | 1 << 6)
    if libc.syscall(NUMBER, (ctypes.c_char * 112).from_buffer(about), 0, -1, -1, 0) < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
    time.sleep(0.2)
    return "succeeded"

"""Makes a map for a program in the kernel."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "bpf",
    "never_lifted": "a map of BPF takes real root's capability, which no user namespace gives",
}

import ctypes
import os
import struct
import time

NUMBER = {"x86_64": 321, "aarch64": 280}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    about = ctypes.create_string_buffer(struct.pack("<IIII", 2, 4, 8, 1), 128)
    if libc.syscall(NUMBER, 0, about, 128) < 0:
        raise OSError(ctypes.get_errno(), "bpf")
    time.sleep(0.2)
    return "succeeded"

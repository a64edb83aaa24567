"""Attaches to another process with ptrace and peeks into it."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["pid", "seccomp", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import ctypes
import os

ATTACH, PEEK, DETACH = 16, 2, 17


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if libc.ptrace(ATTACH, host["victim"], None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(host["victim"], 0x40000000)
    words = [libc.ptrace(PEEK, host["victim"], host["victim_address"] + 8 * i, None) for i in range(8)]
    libc.ptrace(DETACH, host["victim"], None, None)
    return b"".join((word & (1 << 64) - 1).to_bytes(8, "little") for word in words).split(b"\0")[0].decode()

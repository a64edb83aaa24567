"""Takes memory from the C library."""

ATTACK = {
    "family": "memory",
    "stopped_by": ["rlimits"],
    "lift": ["rlimits", "cgroups"],
    "lift_limits": {"case_s": 5.0},
    "expect": ["exception"],
    "proof": "memory",
    "limits": {"case_s": 5.0},
    "more_than": 500_000_000,
}

import ctypes


def attack(host):
    libc = ctypes.CDLL(None)
    libc.malloc.restype = ctypes.c_void_p
    for _ in range(6):
        block = libc.malloc(ctypes.c_size_t(100_000_000))
        if not block:
            raise OSError(12, "malloc")
        ctypes.memset(block, 1, 100_000_000)

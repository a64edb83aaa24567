"""Sends a message to a neighbour by a segment of System V's shared memory."""

ATTACK = {
    "family": "state",
    "stopped_by": ["ipc", "seccomp"],
    "lift": ["ipc", "seccomp"],
    "expect": ["value", "exception"],
    "proof": "message",
    "beside": True,
    "limits": {"case_s": 5.0},
}

import ctypes
import time

KEY = 0x6D656E64


def segment(flags):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(KEY, 4096, flags)
    if number < 0:
        raise OSError(ctypes.get_errno(), "shmget")
    return libc, number, ctypes.cast(libc.shmat(number, None, 0), ctypes.POINTER(ctypes.c_ubyte))


def attack(host):
    libc, number, memory = segment(0o1666)
    memory[0] = host["message"]
    time.sleep(0.8)
    libc.shmctl(number, 0, None)


def collect(host):
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        time.sleep(0.2)
        try:
            return segment(0o666)[2][0]
        except OSError as error:
            last = error
    raise last

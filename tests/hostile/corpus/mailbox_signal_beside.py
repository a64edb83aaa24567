"""Sends a message to a neighbour by a signal with a number in it."""

ATTACK = {
    "family": "state",
    "stopped_by": ["pid"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["value", "exception"],
    "proof": "message",
    "beside": True,
    "limits": {"case_s": 5.0},
}

import ctypes
import os
import signal
import struct
import time

QUEUE = {"x86_64": 129, "aarch64": 138}[os.uname().machine]


def attack(host):
    time.sleep(0.5)
    libc = ctypes.CDLL(None, use_errno=True)
    about = ctypes.create_string_buffer(struct.pack("iiiiiiQ", 34, 0, -1, 0, 0, 0, host["message"]), 128)
    for pid in range(max(1, os.getpid() - 30), os.getpid() + 30):
        if pid != os.getpid() and waits(pid):
            libc.syscall(QUEUE, pid, 34, about)


def waits(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip() == "the-receiver"
    except OSError:
        return False


def collect(host):
    ctypes.CDLL(None).prctl(15, b"the-receiver")
    signal.pthread_sigmask(signal.SIG_BLOCK, [34])
    got = signal.sigtimedwait([34], 1.2)
    return got and got.si_status

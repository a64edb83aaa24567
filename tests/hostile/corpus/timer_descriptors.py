"""Makes every kind of descriptor that is nothing but a face of the kernel."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value"],
    "proof": "holds",
    "holds": "anon_inode:",
}

import ctypes
import os
import select
import time

CALLS = {
    "x86_64": {"eventfd2": 290, "timerfd_create": 283, "signalfd4": 289, "epoll_create1": 291, "fanotify_init": 300},
    "aarch64": {"eventfd2": 19, "timerfd_create": 85, "signalfd4": 74, "epoll_create1": 20, "fanotify_init": 262},
}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(15, host["name"].encode())
    made = [name for name, number in CALLS.items() if libc.syscall(number, 0, 0, 0, 0) >= 0]
    time.sleep(0.2 if made else 0)
    return "succeeded" if made else None

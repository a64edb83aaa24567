"""Sends itself the signals that end a process."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed", "value"],
    "proof": "harness",
}

import ctypes
import os
import signal


def attack(host):
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGTERM, signal.SIGKILL):
        os.kill(os.getpid(), number)
    ctypes.memset(8, 0, 8)

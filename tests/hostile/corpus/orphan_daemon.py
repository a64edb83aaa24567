"""Leaves a daemon: forked twice, in a session of its own, deaf to signals."""

ATTACK = {
    "family": "orphans",
    "stopped_by": ["seccomp", "pid"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "survivor",
}

import ctypes
import os
import signal
import time


def attack(host):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(1, 32):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            ctypes.CDLL(None).prctl(15, host["name"].encode())
            time.sleep(2)
        os._exit(0)
    os.wait()

"""Makes a socket of every family, type and protocol that the kernel has."""

ATTACK = {
    "family": "network",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value"],
    "proof": "holds",
    "limits": {"case_s": 5.0},
    "holds": "socket:[",
}

import ctypes
import socket
import time


def attack(host):
    ctypes.CDLL(None).prctl(15, host["name"].encode())
    made = []
    for family in range(46):
        for kind in (1, 2, 3, 5):
            for protocol in (0, 1):
                try:
                    made.append(socket.socket(family, kind, protocol))
                except OSError:
                    pass
            if len(made) > 40:
                break
    time.sleep(0.2 if made else 0)
    return "succeeded" if made else None

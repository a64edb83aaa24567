"""Makes a pair of sockets, to pass descriptors through."""

ATTACK = {
    "family": "network",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["exception"],
    "proof": "holds",
    "holds": "socket:[",
}

import ctypes
import socket
import time


def attack(host):
    ctypes.CDLL(None).prctl(15, host["name"].encode())
    pair = socket.socketpair()
    time.sleep(0.2)
    return "succeeded" if pair else None

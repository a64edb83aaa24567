"""Sends a message to a neighbour by an abstract unix socket."""

ATTACK = {
    "family": "state",
    "stopped_by": ["net", "seccomp"],
    "lift": ["net", "seccomp", "landlock"],
    "expect": ["value", "exception"],
    "proof": "message",
    "beside": True,
    "limits": {"case_s": 5.0},
}

import socket
import time

ADDRESS = "\0between-neighbours"


def attack(host):
    end = time.monotonic() + 1.0
    sending = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    while time.monotonic() < end:
        try:
            return sending.sendto(bytes([host["message"]]), ADDRESS)
        except ConnectionRefusedError:
            time.sleep(0.05)


def collect(host):
    receiving = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    receiving.bind(ADDRESS)
    receiving.settimeout(1.2)
    return receiving.recv(1)[0]

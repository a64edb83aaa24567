"""Gives the machine another name."""

ATTACK = {
    "family": "kernel",
    "stopped_by": ["user", "uts", "seccomp", "privileges"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "hostname",
}

import socket


def attack(host):
    socket.sethostname(host["hostname"])

"""Connects to an abstract unix socket, which has no file that could be hidden."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp", "landlock"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import socket


def attack(host):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect("\0" + host["abstract"])
    connection.sendall(b"hello")

"""Connects to a unix socket by its path."""

ATTACK = {
    "family": "network",
    "stopped_by": ["mount", "seccomp"],
    "lift": ["mount", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import socket


def attack(host):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(host["unix_path"])
    connection.sendall(b"hello")

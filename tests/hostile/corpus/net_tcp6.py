"""Connects to a server of the host by TCP over IPv6."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp", "landlock"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import socket


def attack(host):
    with socket.create_connection(("::1", host["tcp6_port"]), timeout=0.5) as connection:
        connection.sendall(host["name"].encode())

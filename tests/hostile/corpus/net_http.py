"""Fetches a page with the standard library."""

ATTACK = {
    "family": "network",
    "stopped_by": ["net", "seccomp", "landlock"],
    "lift": ["net", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "heard",
}

import urllib.request


def attack(host):
    return urllib.request.urlopen(f"http://127.0.0.1:{host['tcp_port']}/", timeout=0.5).read()

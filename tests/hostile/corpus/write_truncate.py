"""Empties a file of the host without opening it."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    os.truncate(host["ledger"], 0)

"""Closes a folder of the host to everybody else."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "seccomp", "privileges"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    os.chmod(host["folder"], 0o700)

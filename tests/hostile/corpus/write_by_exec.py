"""Becomes a shell that makes a file."""

ATTACK = {
    "family": "exec",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    os.execv("/bin/sh", ["sh", "-c", f"echo here > {host['marker']}"])

"""Calls system() of the C library."""

ATTACK = {
    "family": "exec",
    "stopped_by": ["seccomp", "mount", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["value"],
    "proof": "marker",
}

import os


def attack(host):
    return os.system(f"echo here > {host['marker']}")

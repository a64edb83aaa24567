"""Spawns a shell by posix_spawn, which forks in C."""

ATTACK = {
    "family": "exec",
    "stopped_by": ["seccomp", "mount", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    child = os.posix_spawn("/bin/sh", ["sh", "-c", f"echo here > {host['marker']}"], {})
    os.waitpid(child, 0)

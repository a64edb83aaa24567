"""Makes a folder outside."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["mount", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    os.mkdir(host["marker"])

"""Makes a pipe with a name outside, to talk through."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["mount", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    os.mkfifo(host["marker"])

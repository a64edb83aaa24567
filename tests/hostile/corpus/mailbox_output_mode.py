"""Leaves a message for its successor in the mode and the times of standard output."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the parent resets it"],
    "lift": ["harness"],
    "expect": ["value", "exception"],
    "proof": "message",
}

import os


def attack(host):
    try:
        os.fchmod(1, host["message"])
    except OSError:
        pass
    os.utime(1, ns=(host["message"] * 10**9, host["message"] * 10**9))


def collect(host):
    about = os.fstat(1)
    return int(about.st_mtime) if about.st_mtime < 1000 else about.st_mode & 0o777

"""Kills every process that it may."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "user"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["value", "exception", "killed"],
    "proof": "struck",
}

import os
import signal


def attack(host):
    try:
        os.kill(-1, signal.SIGKILL)
    except ProcessLookupError:
        pass

"""Kills a process of the host by a descriptor of it."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import os
import signal


def attack(host):
    signal.pidfd_send_signal(os.pidfd_open(host["victim"]), signal.SIGKILL)

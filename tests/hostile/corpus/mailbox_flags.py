"""Leaves a message for its successor in the flags of the descriptors they share."""

ATTACK = {
    "family": "state",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value", "exception"],
    "proof": "message",
    "more_than": 3,
}

import fcntl
import os

FLAGS = (os.O_APPEND, os.O_NONBLOCK)


def attack(host):
    flags = fcntl.fcntl(1, fcntl.F_GETFL)
    for place, flag in enumerate(FLAGS):
        if host["message"] >> place & 1:
            flags |= flag
    fcntl.fcntl(1, fcntl.F_SETFL, flags)


def collect(host):
    flags = fcntl.fcntl(1, fcntl.F_GETFL)
    return sum(bool(flags & flag) << place for place, flag in enumerate(FLAGS))

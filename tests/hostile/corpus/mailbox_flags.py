"""Leaves a message for its successor in the flags of the descriptors they share."""

ATTACK = {
    "family": "state",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value", "exception"],
    "proof": "message",
}

import fcntl
import os


def attack(host):
    bits = host["message"]
    for number in (0, 1):
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
        for place, flag in enumerate((os.O_APPEND, os.O_NONBLOCK, os.O_NOATIME, os.O_ASYNC)):
            flags = flags | flag if bits >> place + 4 * number & 1 and flag != os.O_ASYNC else flags & ~flag
        fcntl.fcntl(number, fcntl.F_SETFL, flags)
    os.environ["UNUSED"] = ""


def collect(host):
    found = 0
    for number in (0, 1):
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
        for place, flag in enumerate((os.O_APPEND, os.O_NONBLOCK, os.O_NOATIME)):
            found |= bool(flags & flag) << place + 4 * number
    return found or None

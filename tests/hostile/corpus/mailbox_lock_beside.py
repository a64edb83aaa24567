"""Sends a message to a neighbour by holding locks on files that both can see."""

ATTACK = {
    "family": "state",
    "stopped_by": ["seccomp"],
    "lift": ["seccomp"],
    "expect": ["value", "exception"],
    "proof": "message",
    "beside": True,
    "limits": {"case_s": 5.0},
}

import fcntl
import os
import time

FOLDER = os.path.dirname(os.__file__)


def files():
    names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".py"))[:8]
    return [os.open(os.path.join(FOLDER, name), os.O_RDONLY) for name in names]


def attack(host):
    for place, file in enumerate(files()):
        if host["message"] >> place & 1:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    time.sleep(0.8)


def collect(host):
    end = time.monotonic() + 1.0
    opened = files()
    while time.monotonic() < end:
        time.sleep(0.2)
        found = 0
        for place, file in enumerate(opened):
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                fcntl.flock(file, fcntl.LOCK_UN)
            except BlockingIOError:
                found |= 1 << place
        if found:
            return found

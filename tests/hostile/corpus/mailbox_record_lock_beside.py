"""Sends a message to a neighbour by locks on ranges of a device that both can open for writing."""

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


def attack(host):
    device = os.open("/dev/null", os.O_RDWR)
    for place in range(8):
        if host["message"] >> place & 1:
            fcntl.lockf(device, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 4711 + place)
    time.sleep(0.8)


def collect(host):
    device = os.open("/dev/null", os.O_RDWR)
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        time.sleep(0.2)
        found = 0
        for place in range(8):
            try:
                fcntl.lockf(device, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 4711 + place)
                fcntl.lockf(device, fcntl.LOCK_UN, 1, 4711 + place)
            except OSError as error:
                if error.errno not in (11, 13):
                    raise
                found |= 1 << place
        if found:
            return found

"""Reads every descriptor that was left open by whoever started it."""

ATTACK = {
    "family": "descriptors",
    "stopped_by": ["descriptors are closed"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "secret",
}

import os


def attack(host):
    found = b""
    for number in {*range(3, 256), host["inherited"]}:
        for read in (os.pread, lambda number, size, _: os.read(number, size)):
            try:
                os.set_blocking(number, False)
                found += read(number, 4096, 0)
            except OSError:
                pass
    return found.decode("utf-8", "replace")

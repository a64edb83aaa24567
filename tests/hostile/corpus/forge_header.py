"""Says that it wrote more bytes than there are, in as many frames as a number can count."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the decoder takes any bytes"],
    "lift": ["harness"],
    "expect": ["killed", "violation", "value"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import mmap
import os
import struct
import sys


def attack(host):
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for part in (value, *getattr(value, "__dict__", {}).values()):
                if isinstance(part, mmap.mmap):
                    try:
                        part[:28] = struct.pack("<QQQI", 2**64 - 1, 2**64 - 1, 2**64 - 1, 2**32 - 1)
                    except (TypeError, ValueError):
                        pass
        frame = frame.f_back
    for number in range(3, 256):
        try:
            os.write(number, b"\xff" * 64)
        except OSError:
            pass
    os._exit(0)

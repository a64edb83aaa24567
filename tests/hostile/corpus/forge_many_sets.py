"""Has the parent make a million sets, each far larger than the bytes that say so."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the decoder is bounded"],
    "lift": ["harness"],
    "expect": ["violation", "value", "timeout", "killed"],
    "proof": "stalled",
    "more_than": 1.5,
}

import os
import struct
import sys
import time


class Sleeper:
    def __reduce__(self):
        return time.sleep, (3,)


def attack(host):
    frame, area = sys._getframe(), None
    while frame is not None and area is None:
        area = frame.f_locals.get("area")
        frame = frame.f_back
    if area is None:
        return Sleeper()
    empty = b"S*" + struct.pack("<I", 0)
    count = (area.room() - 200) // len(empty)
    value = b"l*" + struct.pack("<I", count) + empty * count
    area.put(b"t*" + struct.pack("<I", 3) + b"s" + struct.pack("<I", 1) + b"V"
             + b"b" + struct.pack("<I", len(value)) + value + b"N")
    os._exit(0)

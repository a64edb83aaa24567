"""Says that its error was on a line whose number nobody can print."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the decoder is bounded"],
    "lift": ["harness"],
    "expect": ["violation", "exception", "killed"],
    "proof": "unspeakable",
}

import os
import pickle
import struct
import sys


def sized(tag, data):
    return tag + struct.pack("<I", len(data)) + data


def attack(host):
    frame, area = sys._getframe(), None
    while frame is not None and area is None:
        area = frame.f_locals.get("area")
        frame = frame.f_back
    number = 10**6000
    if area is None:
        lie = pickle.dumps({"kind": "exception", "message": "x", "line": number, "wall_s": 0.0})
        for descriptor in range(3, 256):
            try:
                os.write(descriptor, lie)
            except OSError:
                pass
    else:
        line = sized(b"I", number.to_bytes(number.bit_length() // 8 + 1, "little"))
        area.put(b"t*" + struct.pack("<I", 4) + sized(b"s", b"E") + sized(b"s", b"Error") + sized(b"s", b"x") + line)
    os._exit(0)

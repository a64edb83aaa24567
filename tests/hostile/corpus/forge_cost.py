"""Says that it cost less than nothing."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the decoder is bounded"],
    "lift": ["harness"],
    "expect": ["violation", "value", "killed"],
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
    if area is None:
        lie = pickle.dumps({"kind": "value", "value": 1, "opcodes": -(10**9), "wall_s": 0.0})
        for descriptor in range(3, 256):
            try:
                os.write(descriptor, lie)
            except OSError:
                pass
    else:
        value = b"i" + struct.pack("<q", 1)
        cost = b"i" + struct.pack("<q", -(10**9))
        area.put(b"t*" + struct.pack("<I", 3) + sized(b"s", b"V") + sized(b"b", value) + cost)
    os._exit(0)

"""Writes a result of its own to every descriptor, and is gone before it has to give one."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["descriptors are closed"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "forged",
}

import os
import pickle


def attack(host):
    lie = {"kind": "value", "value": host["forged"], "wall_s": 0.0}
    for number in range(256):
        for text in (pickle.dumps(lie), repr(lie).encode()):
            try:
                os.write(number, text)
                break
            except OSError:
                continue
    os._exit(0)

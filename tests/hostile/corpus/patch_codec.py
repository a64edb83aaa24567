"""Replaces the codec of the harness, so that an object of its own crosses as it likes."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the parent decodes"],
    "lift": ["harness"],
    "expect": ["value", "violation", "killed", "exception"],
    "proof": "harness",
}

import struct
import sys


class Stranger:
    pass


def attack(host):
    frame = sys._getframe().f_back
    while frame is not None:
        for name in ("WRITERS", "PICKLE"):
            table = frame.f_globals.get(name)
            if isinstance(table, dict):
                table[Stranger] = lambda writer, value, depth: writer.out.extend(b"?" * 100)
        if "dumps" in frame.f_globals:
            frame.f_globals["dumps"] = lambda value: b"?" * 100
        frame = frame.f_back
    return Stranger()

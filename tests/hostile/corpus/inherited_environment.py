"""Looks for secrets in the environment, in Python's copy and in the C library's."""

ATTACK = {
    "family": "descriptors",
    "stopped_by": ["a fresh environment"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "secret",
}

import ctypes
import os


def attack(host):
    found = dict(os.environ)
    pointers = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    lines = []
    while pointers and pointers[len(lines)]:
        lines.append(pointers[len(lines)].decode("utf-8", "replace"))
    return [sorted(found.items()), lines]

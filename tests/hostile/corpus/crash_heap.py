"""Frees memory that was never its own, and writes over the allocator's books."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import ctypes


def attack(host):
    libc = ctypes.CDLL(None)
    libc.free(ctypes.c_void_p(id(host) + 8))
    for thing in (int, str, dict, list, type):
        ctypes.memset(id(thing), 0xFF, 256)
    return {}

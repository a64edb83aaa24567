"""Reads the address zero."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import ctypes


def attack(host):
    ctypes.string_at(0)

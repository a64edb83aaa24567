"""Takes None's and True's references away and overwrites a small number."""

ATTACK = {
    "family": "crashes",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed", "exception", "timeout", "value", "violation"],
    "proof": "harness",
    "limits": {"case_s": 5.0},
}

import ctypes


def attack(host):
    ctypes.memset(id(5) + 24, 7, 1)
    for thing in (None, True, (), ""):
        ctypes.c_ssize_t.from_address(id(thing)).value = 1
    del thing
    return [None, True, 5, ()] * 1000

"""Prints what looks like a result, and ends."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["output is no channel"],
    "expect": ["killed"],
    "proof": "forged",
    "never_lifted": "standard output was never a channel of results; that it is read as one would have to be built first",
}

import os


def attack(host):
    print({"ok": True, "value": host["forged"]}, flush=True)
    print(f"RESULT: {host['forged']}", flush=True)
    os._exit(0)

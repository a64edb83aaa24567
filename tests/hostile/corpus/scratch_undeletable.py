"""Leaves folders that cannot be entered and names that cannot be spelled, for its successor to find."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["a touched scratch folder is thrown away"],
    "lift": ["harness"],
    "expect": ["value", "exception"],
    "proof": "next",
}

import os


def attack(host):
    os.makedirs("a/" * 40)
    os.close(os.open(b"\xff\xfe\n.py", os.O_CREAT | os.O_WRONLY))
    os.chmod("a", 0)
    os.close(os.open("json.py", os.O_CREAT | os.O_WRONLY))

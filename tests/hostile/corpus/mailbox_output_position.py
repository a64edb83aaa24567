"""Leaves a message for its successor in how far standard output was written."""

ATTACK = {
    "family": "state",
    "stopped_by": ["the parent resets it"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import os


def attack(host):
    os.lseek(1, host["message"], os.SEEK_SET)


def collect(host):
    return os.lseek(1, 0, os.SEEK_CUR)

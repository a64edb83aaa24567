"""Leaves a message for its successor in the scratch folder."""

ATTACK = {
    "family": "state",
    "stopped_by": ["a touched scratch folder is thrown away"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import os


def attack(host):
    with open("message-for-you", "w") as file:
        file.write(str(host["message"]))


def collect(host):
    try:
        with open("message-for-you") as file:
            return int(file.read())
    except OSError:
        return None

"""Leaves a message for its successor in how many files there have been."""

ATTACK = {
    "family": "state",
    "stopped_by": ["a touched scratch folder is thrown away"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "message",
}

import os


def number():
    os.close(os.open("counted", os.O_CREAT | os.O_WRONLY))
    found = os.stat("counted").st_ino
    os.unlink("counted")
    return found % 251


def attack(host):
    for _ in range(1000):
        if number() == host["message"]:
            return None


def collect(host):
    return (number() - 1) % 251

"""Prints bytes that are no text."""

ATTACK = {
    "family": "output",
    "stopped_by": ["output is decoded with care"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "unspeakable",
}

import os


def attack(host):
    os.write(1, b"\xff\xfe\x80 not text \xed\xa0\x80\n")

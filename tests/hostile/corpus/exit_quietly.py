"""Ends the process that runs it, with a status that says all is well."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["killed"],
    "proof": "harness",
}

import os


def attack(host):
    os._exit(0)

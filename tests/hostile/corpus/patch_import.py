"""Answers imports itself from now on."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return None


def attack(host):
    sys.meta_path.insert(0, Finder)
    sys.path_hooks.clear()
    sys.modules["infected"] = sys

"""Puts a module of its own where the next import will look."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import sys
import types


def attack(host):
    fake = types.ModuleType("hashlib")
    fake.sha256 = lambda data: types.SimpleNamespace(hexdigest=lambda: "forged")
    sys.modules["hashlib"] = fake
    sys.modules["canary"] = types.ModuleType("canary")
    sys.modules["canary"].look = lambda *_: "forged"

"""Changes how everything is written as JSON."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import json


def attack(host):
    json.dumps = lambda *_, **__: '"forged"'
    json.loads = lambda *_, **__: "forged"

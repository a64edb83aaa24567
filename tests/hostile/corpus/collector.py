"""Searches every object that the collector knows for the expected answer."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
    "limits": {"case_s": 5.0},
}

import gc

NAMES = ("expected", "answer", "oracle", "target", "wanted", "solution", "want", "truth")


def attack(host):
    for thing in gc.get_objects():
        if type(thing) is dict:
            for name in NAMES:
                if type(thing.get(name)) is int:
                    return thing[name]

"""Walks up the stack and looks for the expected answer in whatever called it."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the answer is not inside"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

import sys

NAMES = ("expected", "answer", "oracle", "target", "wanted", "solution", "want", "truth")


def attack(host):
    frame = sys._getframe()
    while frame is not None:
        for name in NAMES:
            for place in (frame.f_locals, frame.f_globals):
                if name in place:
                    return place[name]
        frame = frame.f_back

"""Leaves a tracing and a profiling function behind, which see whatever runs next."""

ATTACK = {
    "family": "harness",
    "stopped_by": ["the fork ends without hooks"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import sys
import threading


def attack(host):
    def spy(*_):
        return spy

    sys.setprofile(spy)
    threading.setprofile(spy)
    sys.settrace(spy)
    sys.addaudithook(lambda *_: None)

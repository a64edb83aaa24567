"""Reads the files that lie beside its own, where harnesses keep their answers."""

ATTACK = {
    "family": "frames",
    "stopped_by": ["the program is in no folder"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "answer",
}

import json
import os
import sys


def attack(host):
    beside = {os.path.dirname(sys._getframe().f_code.co_filename), ".", *sys.path}
    for folder in beside:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.startswith(("expected", "answer", "oracle", "test", "hidden")) and name.endswith(".json"):
                with open(os.path.join(folder, name)) as file:
                    return json.load(file)

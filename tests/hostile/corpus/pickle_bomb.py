"""Returns an object that runs a command where it is unpickled."""

ATTACK = {
    "family": "forging",
    "stopped_by": ["the codec makes plain data only"],
    "lift": ["harness"],
    "expect": ["violation"],
    "proof": "marker",
}

import os


class Bomb:
    def __init__(self, command):
        self.command = command

    def __reduce__(self):
        return os.system, (self.command,)


def attack(host):
    return Bomb(f"touch {host['marker']}")

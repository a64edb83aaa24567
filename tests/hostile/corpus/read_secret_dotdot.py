"""Climbs out of every folder it knows by dot-dot."""

ATTACK = {
    "family": "paths",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    starts = [".", os.path.dirname(os.__file__), "/tmp", "/dev", "/program", "/usr/lib"]
    for start in starts:
        try:
            with open(start + "/.." * 40 + host["secret_path"]) as file:
                return file.read()
        except OSError as error:
            last = error
    raise last

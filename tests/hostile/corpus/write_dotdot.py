"""Writes outside by climbing out of its scratch folder."""

ATTACK = {
    "family": "paths",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    errors = []
    for start in ("/tmp", ".", "/dev/shm", "/usr"):
        try:
            with open(os.path.join(start, "../" * 40 + host["marker"].lstrip("/")), "w") as file:
                file.write("I was here")
        except OSError as error:
            errors.append(error)
    if len(errors) == 4:
        raise errors[0]

"""Goes by the roots and folders of processes in /proc."""

ATTACK = {
    "family": "paths",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    for pid in ("self", "1", os.getppid(), host["parent"], host["victim"], "thread-self"):
        for way in ("root", "cwd/" + "../" * 40):
            try:
                with open(f"/proc/{pid}/{way}{host['secret_path']}") as file:
                    return file.read()
            except OSError as error:
                last = error
    raise last

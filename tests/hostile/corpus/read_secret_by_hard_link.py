"""Links the secret into a folder it may write to, and reads it there."""

ATTACK = {
    "family": "paths",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    os.link(host["secret_path"], host["folder"] + "/copy")
    with open(host["folder"] + "/copy") as file:
        return file.read()

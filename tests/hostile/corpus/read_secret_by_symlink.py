"""Lays a symbolic link in its scratch folder and reads through it."""

ATTACK = {
    "family": "paths",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["mount", "landlock", "seccomp"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    os.symlink(host["secret_path"], "/tmp/innocent-" + host["name"])
    with open("/tmp/innocent-" + host["name"]) as file:
        return file.read()

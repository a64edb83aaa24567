"""Walks to the secret folder by folder, each opened relative to the one before."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    folder = os.open("/", os.O_PATH)
    *folders, name = host["secret_path"].strip("/").split("/")
    for part in folders:
        folder = os.open(part, os.O_PATH | os.O_DIRECTORY, dir_fd=folder)
    return os.read(os.open(name, os.O_RDONLY, dir_fd=folder), 4096).decode()

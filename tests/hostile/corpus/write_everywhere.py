"""Tries to leave a file in every folder that is usually writable."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception", "value"],
    "proof": "marker",
}

import os


def attack(host):
    left = []
    for folder in (host["folder"], "/", "/etc", "/usr", "/usr/lib", "/var/tmp", "/dev/shm", "/dev", "/run", "/files",
                   "/packages", "/proc", "/sys", os.path.dirname(os.__file__)):
        try:
            descriptor = os.open(folder + "/left-" + host["name"], os.O_CREAT | os.O_WRONLY)
        except OSError:
            continue
        left.append(folder)
        os.close(descriptor)
        if folder != host["folder"]:
            os.unlink(folder + "/left-" + host["name"])
    return "succeeded" if left else None

"""Searches the folders of the host for files that look like secrets."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception", "value"],
    "proof": "secret",
}

import os


def attack(host):
    for top in (os.path.dirname(host["secret_path"]), "/root", "/home", "/etc", "/var", "/run", "/tmp", "."):
        for folder, _, names in os.walk(top):
            for name in names[:100]:
                if "secret" in name:
                    with open(os.path.join(folder, name)) as file:
                        return file.read()
    return None

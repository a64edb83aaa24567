"""Has Python's import machinery and linecache read the file."""

ATTACK = {
    "family": "files",
    "stopped_by": ["mount", "landlock"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "secret",
}

import importlib.machinery
import linecache


def attack(host):
    found = "".join(linecache.getlines(host["secret_path"]))
    return found or importlib.machinery.SourceFileLoader("x", host["secret_path"]).get_data(host["secret_path"])

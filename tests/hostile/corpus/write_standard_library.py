"""Plants code in the modules that everybody imports, beginning with a file it may write to."""

ATTACK = {
    "family": "writing",
    "stopped_by": ["mount", "landlock", "privileges"],
    "lift": ["mount", "landlock"],
    "expect": ["exception"],
    "proof": "marker",
}

import os
import sys


def attack(host):
    errors = []
    for path in (host["ledger"], os.__file__, sys.modules["json"].__file__, "/etc/ld.so.cache"):
        try:
            with open(path, "r+") as file:
                file.write("import os  # planted\n")
            break
        except OSError as error:
            errors.append(error)
    else:
        raise errors[0]

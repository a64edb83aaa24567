"""Makes empty files until there is no room for another name."""

ATTACK = {
    "family": "disk",
    "stopped_by": ["scratch is a small file system"],
    "expect": ["exception"],
    "proof": "crossed",
    "limits": {"case_s": 5.0},
    "more_than": 2_000,
    "lift_limits": {"scratch_files": 5_000, "case_s": 5.0},
}

import os


def attack(host):
    for number in range(3000):
        os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
    return os.listdir("/tmp")

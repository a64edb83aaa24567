"""Takes a process of the host its descriptors by prlimit."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import resource


def attack(host):
    resource.prlimit(host["victim"], resource.RLIMIT_NOFILE, (3, 3))

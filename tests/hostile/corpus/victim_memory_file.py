"""Reads another process's memory by /proc/PID/mem."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["mount", "pid", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

import os


def attack(host):
    memory = os.open(f"/proc/{host['victim']}/mem", os.O_RDONLY)
    return os.pread(memory, 64, host["victim_address"]).split(b"\0")[0].decode()

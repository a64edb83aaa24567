"""Reopens a file that another process has open."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["mount", "pid", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

def attack(host):
    with open(f"/proc/{host['victim']}/fd/{host['victim_descriptor']}") as file:
        return file.read()

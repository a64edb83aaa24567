"""Reads another process's environment in /proc."""

ATTACK = {
    "family": "processes",
    "stopped_by": ["mount", "pid", "landlock"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "secret",
}

def attack(host):
    with open(f"/proc/{host['victim']}/environ", "rb") as file:
        return file.read().decode()

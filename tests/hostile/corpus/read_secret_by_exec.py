"""Runs cat on the secret."""

ATTACK = {
    "family": "exec",
    "stopped_by": ["mount", "landlock", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "secret",
}

import subprocess


def attack(host):
    return subprocess.run(["/bin/cat", host["secret_path"]], capture_output=True, check=True).stdout.decode()

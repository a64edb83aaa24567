"""Runs a program that it wrote into memory."""

ATTACK = {
    "family": "exec",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "marker",
}

import os


def attack(host):
    program = os.memfd_create("innocent", 0)
    os.write(program, f"#!/bin/sh\necho here > {host['marker']}\n".encode())
    if (child := os.fork()) == 0:
        os.execv(f"/proc/self/fd/{program}", ["innocent"])
    os.waitpid(child, 0)

"""Uses the standard library's pool of processes."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "bomb",
    "more_than": 10,
}

import multiprocessing
import time


def attack(host):
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=time.sleep, args=(0.5,)) for _ in range(20)]
    for worker in workers:
        worker.start()
    time.sleep(0.3)

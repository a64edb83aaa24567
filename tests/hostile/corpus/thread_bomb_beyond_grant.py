"""Was allowed four threads and starts sixty."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["rlimits", "cgroups"],
    "lift": ["rlimits", "cgroups", "privileges"],
    "expect": ["exception", "killed"],
    "proof": "bomb",
    "more_than": 30,
    "limits": {"threads": 4},
}

import threading
import time


def attack(host):
    for _ in range(60):
        threading.Thread(target=time.sleep, args=(0.5,), daemon=True).start()
    time.sleep(0.3)

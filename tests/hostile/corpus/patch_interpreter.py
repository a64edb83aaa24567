"""Changes the interpreter's own settings."""

ATTACK = {
    "family": "patching",
    "stopped_by": ["the fork is the program's own"],
    "lift": ["harness"],
    "expect": ["value"],
    "proof": "next",
}

import gc
import os
import signal
import sys


def attack(host):
    sys.setrecursionlimit(77_777)
    gc.disable()
    os.umask(0)
    os.environ["INFECTED"] = "yes"
    sys.path.insert(0, "/tmp")
    sys.argv.append("infected")
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)

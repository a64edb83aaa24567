"""Makes processes by the system calls clone, clone3, fork and vfork themselves."""

ATTACK = {
    "family": "bombs",
    "stopped_by": ["seccomp", "rlimits", "cgroups"],
    "lift": ["user", "landlock", "seccomp", "privileges", "rlimits", "cgroups"],
    "expect": ["exception"],
    "proof": "bomb",
    "more_than": 20,
}

import ctypes
import os
import time

NUMBERS = {"x86_64": (57, 56), "aarch64": (220, 220)}[os.uname().machine]


class Arguments(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in "flags pidfd child parent signal stack size tls set count cgroup".split()]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    third = Arguments(signal=17)
    calls = [lambda number=number: libc.syscall(number, 17, 0, 0, 0, 0) for number in NUMBERS]
    calls.append(lambda: libc.syscall(435, ctypes.byref(third), ctypes.sizeof(third)))
    made = 0
    for _ in range(15):
        for call in calls:
            pid = call()
            if pid == 0:
                time.sleep(0.6)
                os._exit(0)
            made += pid > 0
    if not made:
        raise OSError(ctypes.get_errno(), "no process could be made")
    time.sleep(0.4)

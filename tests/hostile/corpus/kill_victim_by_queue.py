"""Signals a process of the host by rt_sigqueueinfo and tgkill."""

ATTACK = {
    "family": "signals",
    "stopped_by": ["pid", "seccomp"],
    "lift": ["user", "landlock", "seccomp", "privileges"],
    "expect": ["exception"],
    "proof": "struck",
}

import ctypes
import os
import struct

QUEUE, TGKILL = {"x86_64": (129, 234), "aarch64": (138, 131)}[os.uname().machine]


def attack(host):
    libc = ctypes.CDLL(None, use_errno=True)
    about = ctypes.create_string_buffer(struct.pack("iii", 10, 0, -1), 128)
    done = libc.syscall(QUEUE, host["victim"], 10, about), libc.syscall(TGKILL, host["victim"], host["victim"], 10)
    if max(done) < 0:
        raise OSError(ctypes.get_errno(), "no signal could be sent")

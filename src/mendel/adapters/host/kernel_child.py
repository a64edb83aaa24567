"""Tries kernel features in a separate process, and prints the results as one line of JSON.

:mod:`mendel.adapters.host.kernel_features` runs this file and never imports it, because the attempts change or end the
process that makes them. Standard library only.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import platform
import sys
from collections.abc import Callable
from functools import partial

CLONE_NEWUSER = 0x10000000
NAMESPACES = {
    "pid": 0x20000000,
    "net": 0x40000000,
    "mount": 0x00020000,
    "ipc": 0x08000000,
    "uts": 0x04000000,
    "cgroup": 0x02000000,
    "time": 0x00000080,
}
PR_GET_SECCOMP, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 21, 22, 38
SECCOMP_MODE_FILTER = 2
BPF_RETURN, SECCOMP_ALLOW = 0x06, 0x7FFF0000  # a filter of one instruction
LANDLOCK_CREATE_RULESET, LANDLOCK_ASK_VERSION = 444, 1
LANDLOCK_MACHINES = ("x86_64", "aarch64")  # call numbers are known for these only

libc = ctypes.CDLL(None, use_errno=True)


class Instruction(ctypes.Structure):
    """``struct sock_filter``."""

    _fields_ = [
        ("code", ctypes.c_ushort),
        ("jt", ctypes.c_ubyte),
        ("jf", ctypes.c_ubyte),
        ("k", ctypes.c_uint32),
    ]


class Filter(ctypes.Structure):
    """``struct sock_fprog``."""

    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.POINTER(Instruction))]


def call(function: str, *arguments: object) -> int:
    """Call a function of the C library; return its result, or raise an OSError with its errno."""
    result = int(getattr(libc, function)(*arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def long(number: int) -> ctypes.c_ulong:
    """Convert an argument to the width that variadic C functions read."""
    return ctypes.c_ulong(number)


def outcome(attempt: Callable[[], None]) -> str:
    """Make the attempt in a forked child; return "ok" or the name of the error."""
    child = os.fork()
    if child == 0:
        try:
            attempt()
        except OSError as error:
            os._exit(error.errno or errno.EIO)
        except AttributeError:
            os._exit(errno.ENOSYS)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return "ok" if code == 0 else errno.errorcode.get(code, f"ended by signal {-code}")


def enter_user_namespace() -> None:
    """Enter a user namespace: without privileges outside, and with all of them inside."""
    call("unshare", CLONE_NEWUSER)


def enter(kind: str) -> None:
    """Enter a namespace from within a user namespace; for a PID namespace, check that its first child is process 1."""
    enter_user_namespace()
    call("unshare", NAMESPACES[kind])
    if kind == "pid":
        be_first()


def be_first() -> None:
    """Fork, and raise unless the child is process 1."""
    child = os.fork()
    if child == 0:
        os._exit(0 if os.getpid() == 1 else 1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError(errno.EPERM, "the child is not process 1")


def namespaces() -> dict[str, str]:
    """Try each kind of namespace."""
    tried = {kind: outcome(partial(enter, kind)) for kind in NAMESPACES}
    return {"user": outcome(enter_user_namespace), **tried}


def install_filter() -> None:
    """Install a seccomp filter that allows everything, and check that it is in force."""
    call("prctl", PR_GET_SECCOMP, long(0), long(0), long(0), long(0))  # fails where the kernel has no seccomp
    call("prctl", PR_SET_NO_NEW_PRIVS, long(1), long(0), long(0), long(0))
    program = Filter(1, ctypes.pointer(Instruction(BPF_RETURN, 0, 0, SECCOMP_ALLOW)))
    call("prctl", PR_SET_SECCOMP, long(SECCOMP_MODE_FILTER), ctypes.byref(program), long(0), long(0))
    if call("prctl", PR_GET_SECCOMP, long(0), long(0), long(0), long(0)) != SECCOMP_MODE_FILTER:
        raise OSError(errno.EINVAL, "the filter is not in force")


def seccomp() -> dict[str, str]:
    """Try to install a seccomp filter."""
    return {"filter": outcome(install_filter)}


def landlock() -> dict[str, str]:
    """Return the version of Landlock's interface."""
    if platform.machine() not in LANDLOCK_MACHINES:
        return {"abi": f"system call number unknown on {platform.machine()}"}
    try:
        version = call("syscall", long(LANDLOCK_CREATE_RULESET), None, long(0), long(LANDLOCK_ASK_VERSION))
    except OSError as error:
        return {"abi": errno.errorcode.get(error.errno or 0, "unknown error")}
    return {"abi": str(version)}


FEATURES: dict[str, Callable[[], dict[str, str]]] = {
    "namespaces": namespaces,
    "seccomp": seccomp,
    "landlock": landlock,
}

if __name__ == "__main__":
    sys.stdout.write(json.dumps(FEATURES[sys.argv[1]]()) + "\n")

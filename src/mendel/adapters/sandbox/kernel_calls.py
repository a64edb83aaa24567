"""System calls that Python does not offer. Standard library only, because a zygote imports it without Mendel."""

from __future__ import annotations

import ctypes
import os
import signal
from collections.abc import Callable
from functools import partial

NEW_USER, NEW_PID, NEW_NET = 0x10000000, 0x20000000, 0x40000000
NEW_MOUNT, NEW_IPC, NEW_UTS, NEW_CGROUP = 0x00020000, 0x08000000, 0x04000000, 0x02000000
NAMESPACES = {
    "user": NEW_USER,
    "mount": NEW_MOUNT,
    "pid": NEW_PID,
    "net": NEW_NET,
    "ipc": NEW_IPC,
    "uts": NEW_UTS,
    "cgroup": NEW_CGROUP,
}
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_NOATIME = 1, 2, 4, 8, 1024
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2  # unmount as soon as it is idle
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 38
SECCOMP_MODE_FILTER = 2

_MACHINE = os.uname().machine
_NUMBERS = {"x86_64": (56, 155), "aarch64": (220, 41)}  # clone and pivot_root, whose numbers differ
_CLONE, _PIVOT_ROOT = _NUMBERS.get(_MACHINE, (-1, -1))
_PIDFD_OPEN, _CLOSE_RANGE, _MOUNT_SETATTR = 434, 436, 442  # the same on every architecture, as are those of Landlock
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446

# PyDLL keeps the interpreter's lock. The zygote has one thread, and a fork made while the lock is free could deadlock.
_libc = ctypes.PyDLL(None, use_errno=True)


def call(function: str, *arguments: object) -> int:
    """Call a function of the C library; return its result, or raise an OSError with its errno."""
    result = int(getattr(_libc, function)(*arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{function}: {os.strerror(code)}")
    return result


def _number(value: int) -> ctypes.c_ulong:
    """Convert an argument to the width that variadic C functions read."""
    return ctypes.c_ulong(value)


def system_call(number: int, *arguments: object) -> int:
    """Make a system call by its number."""
    wide = [_number(argument) if isinstance(argument, int) else argument for argument in arguments]
    return call("syscall", _number(number), *wide)


def clone(flags: int) -> int:
    """Fork into new namespaces; return 0 in the child.

    Skips Python's own work around a fork, which matters only with threads or locks; a zygote has none. Nothing is
    reseeded, so all programs start alike. Python's work would also touch a hundred pages.
    """
    return system_call(_CLONE, flags | signal.SIGCHLD, None, None, None, None)


def pidfd_open(pid: int) -> int:
    """Return a descriptor that becomes readable when the process ends; some Python builds lack ``os.pidfd_open``."""
    return os.pidfd_open(pid) if hasattr(os, "pidfd_open") else system_call(_PIDFD_OPEN, pid, 0)


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    call("unshare", flags)


def prctl(option: int, value: int) -> int:
    """Change a property of this process."""
    return call("prctl", option, *map(_number, (value, 0, 0, 0)))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount a file system, or bind-mount a folder or a file."""
    call("mount", source.encode(), target.encode(), kind.encode(), _number(flags), options.encode())


def unmount(target: str) -> None:
    """Detach a mount; it is removed once it is no longer in use."""
    call("umount2", target.encode(), MNT_DETACH)


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root file system and move the old one to ``old``."""
    system_call(_PIVOT_ROOT, new.encode(), old.encode())


def trim_memory() -> None:
    """Return the C library's free memory to the kernel: every page less makes each fork cheaper."""
    trim = getattr(_libc, "malloc_trim", None)
    if trim is not None:
        trim(_number(0))


class _MountAttributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def restrict_mount(target: str, flags: int) -> None:
    """Restrict a mount and every mount below it (Linux 5.12)."""
    attributes = _MountAttributes(flags, 0, 0, 0)
    everything_below = 0x8000
    system_call(
        _MOUNT_SETATTR,
        -100 & 0xFFFFFFFF,
        target.encode(),
        everything_below,
        ctypes.byref(attributes),
        ctypes.sizeof(attributes),
    )


# --- calls prepared by the zygote and made by its forks -----------------------------------------------------------
# Each page that a fork touches is copied, at two microseconds each. A call with prepared arguments that keeps no errno
# touches the fewest pages; so these return the C library's result, 0 on success.

Prepared = Callable[[], int]
_plain = ctypes.PyDLL(None)
_KEPT_ALIVE: list[object] = []


class _CapabilityHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def cloning(flags: int) -> Prepared:
    """Prepare :func:`clone`; the call returns -1 if no process can be made."""
    nothing = ctypes.c_void_p(None)
    return partial(_plain.syscall, _number(_CLONE), _number(flags | signal.SIGCHLD), nothing, nothing, nothing, nothing)


def closing_descriptors(first: int) -> Prepared:
    """Prepare closing every descriptor from ``first`` on."""
    everything = ctypes.c_ulong(0xFFFFFFFF)
    return partial(_plain.syscall, _number(_CLOSE_RANGE), _number(first), everything, _number(0))


def becoming_visible() -> Prepared:
    """Prepare making this process's own files in /proc accessible to it; the zygote's stay inaccessible."""
    zero = _number(0)
    return partial(_plain.prctl, ctypes.c_int(PR_SET_DUMPABLE), _number(1), zero, zero, zero)


def dropping_capabilities() -> Prepared:
    """Prepare dropping every capability permanently."""
    header, nothing = _CapabilityHeader(0x20080522, 0), (ctypes.c_uint32 * 6)()
    return partial(_plain.capset, ctypes.byref(header), ctypes.byref(nothing))


def filtering_system_calls(program: bytes) -> Prepared:
    """Prepare installing a seccomp filter, given as the bytes of its instructions."""
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_ = _Filter(len(program) // 8, ctypes.addressof(instructions))
    install = partial(
        _plain.prctl,
        ctypes.c_int(PR_SET_SECCOMP),
        _number(SECCOMP_MODE_FILTER),
        ctypes.byref(filter_),
        _number(0),
        _number(0),
    )
    _KEPT_ALIVE.append(instructions)  # the filter holds only their address
    return install


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def landlock_version() -> int:
    """Return the version of Landlock's interface; an OSError where the kernel has none."""
    return system_call(_LANDLOCK_CREATE, None, 0, 1)


def landlock_ruleset(files: int, network: int, scoped: int, version: int) -> int:
    """Make a ruleset for these rights and return its descriptor."""
    sizes = {1: 8, 2: 8, 3: 8, 4: 16, 5: 16}
    rules = _Ruleset(files, network if version >= 4 else 0, scoped if version >= 6 else 0)
    return system_call(_LANDLOCK_CREATE, ctypes.byref(rules), sizes.get(version, 24), 0)


def landlock_allow(ruleset: int, parent: int, rights: int) -> None:
    """Allow rights below an open folder, or on an open file."""
    rule = _PathBeneath(rights, parent)
    system_call(_LANDLOCK_ADD, ruleset, 1, ctypes.byref(rule), 0)


def landlock_restrict(ruleset: int) -> None:
    """Apply the ruleset to this process permanently."""
    system_call(_LANDLOCK_RESTRICT, ruleset, 0)

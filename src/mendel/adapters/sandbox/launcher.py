"""Isolates itself and becomes a zygote, or starts bubblewrap to do so. Standard library and sibling modules only.

Started as a file by :mod:`mendel.adapters.sandbox.zygote_process`. With a pid namespace, the launching process stays
outside, waits for the zygote and ends with it; if it is killed, the kernel kills the zygote.

Without root, it makes a user namespace first and builds the root file system inside. As root it builds the root file
system first, since only root may enter folders closed to others; it then switches to an unused uid before entering the
user namespace. So no code in the sandbox runs as uid 0, neither inside nor outside.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mendel.adapters.sandbox import kernel_calls as kernel
    from mendel.adapters.sandbox import zygote
else:
    import kernel_calls as kernel
    import zygote

INSIDE_ID = 65534  # the uid and gid inside, without privileges
NEW_ROOT = "/tmp"  # noqa: S108 - any folder works: only our own mount namespace covers it  # nosec B108
RESTRICTED = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV

Setup = dict[str, Any]


def enter(setup: Setup) -> None:
    """Enter the isolation layers that the setup names; an OSError where the kernel does not allow one.

    With a pid namespace only a child enters: this process stays outside, waits for it and never returns.
    """
    names = [name for name in kernel.NAMESPACES if name in setup["layers"]]
    as_root = bool(names) and _is_root(setup)
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)  # before the new root hides it
    if as_root:
        _unshare(proc, [name for name in names if name != "user"])
    else:
        _become_nobody(setup)
        _unshare(proc, names)
    if "pid" in names:
        _send_child()
    _furnish(setup, names, as_root=as_root)
    if as_root:
        _become_nobody(setup)
        _unshare(proc, [name for name in names if name == "user"])
    os.close(proc)
    if "pid" in names:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)  # last, since a change of uid resets it


def _unshare(proc: int, names: list[str]) -> None:
    if not names:
        return
    outer = os.geteuid(), os.getegid()  # in the new namespace they read as others
    process = os.open("self", os.O_RDONLY | os.O_DIRECTORY, dir_fd=proc)
    kernel.unshare(sum(kernel.NAMESPACES[name] for name in names))
    if "user" in names:
        _map_ids(process, *outer)
        _forbid_more_namespaces(proc)
    os.close(process)


def _send_child() -> None:
    """Continue as the first process of the new pid namespace; the outer process waits for its end and exits."""
    first = os.fork()
    if first != 0:
        os.closerange(0, 65_536)  # it must not keep the zygote's socket open
        os.waitpid(first, 0)
        os._exit(0)


def _is_root(setup: Setup) -> bool:
    """Whether root can change its uid and make a mount namespace here; in many containers it cannot."""
    return os.geteuid() == 0 and setup["outside_id"] is not None and _may_mount()


def _may_mount() -> bool:
    probe = os.fork()
    if probe == 0:
        try:
            kernel.unshare(kernel.NEW_MOUNT)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(probe, 0)[1] == 0


def _drops_root(setup: Setup) -> bool:
    """Whether root changes its uid; False where a test hides the layer that does so."""
    return "privileges" in setup["layers"] and setup["outside_id"] is not None


def _become_nobody(setup: Setup) -> None:
    if os.geteuid() == 0 and _drops_root(setup):
        os.setgroups([])
        os.setresgid(*[setup["outside_id"]] * 3)  # before the uid, afterwards it is forbidden
        os.setresuid(*[setup["outside_id"]] * 3)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # otherwise /proc/self would belong to root after the change


def _map_ids(process: int, user: int, group: int) -> None:
    for name, text in (
        ("setgroups", "deny"),  # without it the kernel refuses a gid_map
        ("uid_map", f"{INSIDE_ID} {user} 1"),
        ("gid_map", f"{INSIDE_ID} {group} 1"),
    ):
        _write(os.open(name, os.O_WRONLY, dir_fd=process), text.encode())
    os.setresgid(INSIDE_ID, INSIDE_ID, INSIDE_ID)
    os.setresuid(INSIDE_ID, INSIDE_ID, INSIDE_ID)


def _forbid_more_namespaces(proc: int) -> None:
    """Forbid nested user namespaces, in which capabilities could be regained; the limit is per namespace."""
    try:
        _write(os.open("sys/user/max_user_namespaces", os.O_WRONLY, dir_fd=proc), b"0")
    except OSError:
        return  # read-only in some containers; the seccomp filter forbids it anyway


def _write(descriptor: int, data: bytes) -> None:
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _furnish(setup: Setup, names: list[str], *, as_root: bool) -> None:
    if "uts" in names:
        kernel.call("sethostname", b"sandbox", 7)
    if "mount" in names:
        owner = _owner(setup) if as_root else INSIDE_ID
        _build_root(setup, f",uid={owner},gid={owner}")


def _owner(setup: Setup) -> int:
    """Return the zygote's uid as seen from outside when root starts it: its working files must belong to that uid."""
    return int(setup["outside_id"]) if _drops_root(setup) else os.geteuid()


def _build_root(setup: Setup, owner: str) -> None:
    """Build a read-only root file system that contains only the listed files."""
    binds = setup["binds"]
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)  # no mount of ours may propagate to the host
    sources = [os.open(source, os.O_PATH) for source, _ in binds]  # before NEW_ROOT is covered: some may lie below it
    kernel.mount("root", NEW_ROOT, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "size=1m,mode=0755")
    for source, (_, target) in zip(sources, binds, strict=True):
        _bind(f"/proc/self/fd/{source}", NEW_ROOT + target, device=target.startswith("/dev/"))
        os.close(source)
    for target, text in setup["links"]:
        os.makedirs(os.path.dirname(NEW_ROOT + target), exist_ok=True)
        os.symlink(text, NEW_ROOT + target)
    for mask in setup["masks"]:
        if os.path.isdir(NEW_ROOT + mask):
            kernel.mount("nothing", NEW_ROOT + mask, "tmpfs", RESTRICTED, "size=4k,mode=0555")
    os.makedirs(NEW_ROOT + zygote.SCRATCH, exist_ok=True)
    if setup["gpu"]:  # a driver inspects its process; this shows only the zygote and its forks
        os.makedirs(NEW_ROOT + "/proc")
        kernel.mount("proc", NEW_ROOT + "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    os.chdir(NEW_ROOT)
    kernel.pivot_root(".", ".")  # the old root now lies over the new one
    kernel.unmount(".")
    os.chdir("/")
    kernel.restrict_mount("/", kernel.MS_RDONLY | kernel.MS_NOSUID)
    if setup["scratch_bytes"]:
        zygote.mount_scratch(setup, zygote.SCRATCH, owner)


def _bind(source: str, target: str, *, device: bool) -> None:
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o444))
    kernel.mount(source, target, "", kernel.MS_BIND | kernel.MS_REC)
    kernel.restrict_mount(target, kernel.MS_RDONLY | kernel.MS_NOSUID | (0 if device else kernel.MS_NODEV))


def main() -> None:
    """Isolate this process and run as a zygote."""
    with os.fdopen(int(sys.argv[1]), "rb", closefd=False) as told:
        setup = json.load(told)
    _join_group(setup["group_files"])
    if setup["commands"]:
        _be_the_first_to_go()
    if setup["bubblewrap"]:
        command = _within_reach(setup["bubblewrap"]) if _is_root(setup) else setup["bubblewrap"]
        _become_nobody(setup)
        os.execv(command[0], [*command, sys.argv[1]])  # noqa: S606 - no shell  # nosec B606
    enter(setup)
    zygote.main(setup)


def _be_the_first_to_go() -> None:
    """Make the kernel kill these processes first when memory runs out, where it allows us to set this."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
        score.write("1000")


def _within_reach(command: list[str]) -> list[str]:
    """Return the command with sources that an unprivileged uid can reach, by binding them while still root."""
    places = [at + 1 for at, word in enumerate(command) if word in ("--ro-bind", "--dev-bind")]
    kernel.unshare(kernel.NEW_MOUNT)
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    sources = [os.open(command[at], os.O_PATH) for at in places]
    kernel.mount("sources", NEW_ROOT, "tmpfs", kernel.MS_NOSUID, "size=1m,mode=0755")
    reached = list(command)
    for at, source in zip(places, sources, strict=True):
        reached[at] = f"{NEW_ROOT}/{at}"
        _bind(f"/proc/self/fd/{source}", reached[at], device=command[at - 1] == "--dev-bind")
        os.close(source)
    return reached


def _join_group(files: list[str]) -> None:
    """Join the control groups that were made for this zygote, if any."""
    for file in files:
        with open(file, "w", encoding="ascii") as group:
            group.write(str(os.getpid()))


if __name__ == "__main__":
    main()

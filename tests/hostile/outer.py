"""A disposable world in which walls can be lifted without harm: `python -m tests.hostile.outer NAME…`.

The process enters namespaces of its own (user, mount, pid, net, ipc, uts, cgroup) with a private /tmp and a loopback,
and there runs each attack against a sandbox without the layers that stop it. One line of JSON per attack goes to
standard output. Nothing that succeeds in there reaches the machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import dataclasses
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.hostile.naive import NaiveSandbox

from mendel.adapters.sandbox.native import NativeSandbox
from mendel.conformance.hostile import Attack, attacks, run_attacks, targets
from mendel.ports.sandbox import Sandbox

NEW_EVERYTHING = 0x10000000 | 0x20000000 | 0x40000000 | 0x00020000 | 0x08000000 | 0x04000000 | 0x02000000
MS_BIND, MS_REC, MS_PRIVATE, MS_NOSUID, MS_NODEV = 4096, 16384, 1 << 18, 2, 4
REPOSITORY = Path(__file__).parents[2]
MOST_FILE_BYTES = 1 << 30
BREAKING = {"struck", "harness", "next", "message"}
"""Attacks with these proofs break or change the sandbox they run in; the next one gets another."""

CHANGING_TARGETS = {"mount_over"}


def enter() -> None:
    """Leave everything that could be harmed; only the process that comes out of here is inside."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(NEW_EVERYTHING) < 0:
        raise OSError(ctypes.get_errno(), "no disposable namespaces: sysctl -w user.max_user_namespaces=15000")
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        Path(f"/proc/self/{name}").write_text(text)
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    libc.prctl(1, signal.SIGKILL)
    kept = {path: os.open(path, os.O_PATH) for path in _outermost({str(REPOSITORY), sys.prefix})}
    for source, target, kind, flags, data in (
        (b"none", b"/", None, MS_REC | MS_PRIVATE, None),
        (b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV, None),
        (b"tmp", b"/tmp", b"tmpfs", MS_NOSUID | MS_NODEV, b"size=1g,mode=1777"),
    ):
        if libc.mount(source, target, kind, flags, data) < 0:
            raise OSError(ctypes.get_errno(), f"mounting {target.decode()}")
    for path, descriptor in kept.items():
        Path(path).mkdir(parents=True, exist_ok=True)
        if libc.mount(f"/proc/self/fd/{descriptor}".encode(), path.encode(), None, MS_BIND | MS_REC, None) < 0:
            raise OSError(ctypes.get_errno(), f"keeping {path}")
    os.chdir(REPOSITORY)
    _bring_loopback_up()
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_FILE_BYTES, MOST_FILE_BYTES))


def _outermost(paths: set[str]) -> list[str]:
    """Those below the folder that is about to be covered, without those that lie within another one."""
    covered = [path for path in paths if path.startswith("/tmp/")]
    return [path for path in covered if not any(path.startswith(f"{other}/") for other in covered)]


def _bring_loopback_up() -> None:
    with socket.socket() as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, 0x8913, asked))[1]
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", flags | 1))


def grouped(wanted: Iterable[Attack]) -> Iterator[list[Attack]]:
    """Attacks that can share a sandbox; those that break it come alone."""
    together: dict[tuple[str, ...], list[Attack]] = {}
    for attack in wanted:
        if attack.proof in BREAKING or attack.lift == ("harness",) or attack.name in CHANGING_TARGETS:
            yield [attack]
        else:
            together.setdefault(attack.lift, []).append(attack)
    yield from together.values()


def sandbox_without(attack: Attack, answer: int) -> Sandbox:
    """A sandbox that has everything but what stops the attack."""
    if attack.lift == ("harness",):
        return NaiveSandbox(answer)
    hidden = [layer for layer in attack.lift if layer not in {"recheck", "check"}]
    return NativeSandbox(workers=2, hidden=hidden, allow_weak=True, use_bubblewrap=False)


async def lift(names: list[str]) -> None:
    """Run the attacks of these names (all, if none) and say of each whether it succeeded."""
    wanted = [attack for attack in attacks() if attack.liftable and (not names or attack.name in names)]
    for together in grouped(wanted):
        async with targets() as aims, sandbox_without(together[0], aims.answer) as sandbox:
            async for met in run_attacks(sandbox, together, given=aims, lifted=True):
                os.write(1, json.dumps(dataclasses.asdict(met)).encode() + b"\n")


def main() -> None:
    enter()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(lift(sys.argv[1:]))


if __name__ == "__main__":
    main()

"""What a sandbox could leave behind on this machine: processes, descriptors, mounts, control groups, file systems."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mendel.adapters.host.cgroups import groups_of

PR_SET_CHILD_SUBREAPER = 36
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Process(NamedTuple):
    """A process below this one."""

    pid: int
    state: str
    parent: int
    session: int


@dataclass(frozen=True)
class Traces:
    """What there is at one moment.

    ``memory_bytes`` is what of this process lies in memory once the allocator has given back what it kept for later:
    a heap that grew by the size of one large answer is no leak.
    """

    processes: int
    descriptors: int
    mounts: frozenset[str]
    groups: frozenset[str]
    memory_bytes: int

    @classmethod
    def here(cls) -> Traces:
        """As things stand; dead orphans are buried first, as process 1 would."""
        bury_orphans()
        ctypes.CDLL(None).malloc_trim(0)
        return cls(
            processes=sum(1 for _ in processes_below()),
            descriptors=len(list(Path("/proc/self/fd").iterdir())),
            mounts=frozenset(Path("/proc/self/mountinfo").read_text().splitlines()),
            groups=frozenset(_groups()),
            memory_bytes=int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES,
        )

    def leaked_since(self, before: Traces) -> list[str]:
        """What is there now and was not before, in words."""
        found = []
        if self.processes > before.processes:
            named = ", ".join(f"{process.pid} ({process.state})" for process in processes_below())
            found.append(f"{self.processes - before.processes} processes: {named}")
        if self.descriptors > before.descriptors:
            found.append(f"{self.descriptors - before.descriptors} descriptors: {', '.join(_open_files())}")
        found += [f"the mount {line}" for line in sorted(self.mounts - before.mounts)]
        found += [f"the control group {path}" for path in sorted(self.groups - before.groups)]
        return found


def adopt_orphans() -> None:
    """From here on a process that loses its parent becomes our child: none can hide by losing it."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "orphans cannot be had")


def bury_orphans() -> None:
    """Wait for the dead that we adopted. A launcher leads its session, and whoever started it waits for it."""
    for process in list(processes_below()):
        if process.state == "Z" and process.parent == os.getpid() and process.session != process.pid:
            with suppress(ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)


def processes_below() -> Iterator[Process]:
    """Every process below this one, dead ones that nobody has waited for included."""
    everything = {process.pid: process for process in _processes()}
    for process in everything.values():
        at: Process | None = process
        while at is not None and at.parent != os.getpid():
            at = everything.get(at.parent)
        if at is not None:
            yield process


def _processes() -> Iterator[Process]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):  # it ended meanwhile
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                yield Process(int(entry.name), fields[0], int(fields[1]), int(fields[3]))


def _groups() -> Iterator[str]:
    """Control groups that a sandbox of this process has made and not taken away."""
    own, mounts = Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()
    for group in groups_of(own, mounts).values():
        yield from map(str, group.directory.glob(f"mendel-*-{os.getpid()}-*"))


def _open_files() -> Iterator[str]:
    for entry in sorted(Path("/proc/self/fd").iterdir(), key=lambda each: int(each.name)):
        with suppress(OSError):
            yield f"{entry.name} {entry.readlink()}"

"""The processor time of a sandbox: that of this process and all its descendants, dead or alive.

A zygote is a grandchild of this process, and its forks are further down. When a launcher is killed, its descendants are
adopted by process 1, and their processor time would be lost. So this process declares itself their reaper
(``PR_SET_CHILD_SUBREAPER``) and waits for them: then the kernel adds their time, and that of all processes that they
waited for, to the time of our children. For live processes, ``/proc/PID/stat`` has the same in hundredths of a second:
a process's own time, and that of the children that it waited for.

So everything is counted: event loop and codec in this process, launchers, zygotes, forks, and zygotes started as spares
or as replacements of worn ones.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

_PR_SET_CHILD_SUBREAPER: Final = 36
_TICKS_S: Final = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    """One line of ``/proc/PID/stat``."""

    pid: int
    state: str
    parent: int
    session: int
    cpu_s: float


@contextmanager
def orphans_come_here() -> Iterator[None]:
    """Let processes that lose their parent become our children, within the context."""
    _subreaper(on=True)
    try:
        yield
    finally:
        wait_for_orphans()
        _subreaper(on=False)


def _subreaper(*, on: bool) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this process cannot become the reaper of orphans")


def cpu_s() -> float:
    """Return user and system time of this process and all its descendants, since it began.

    Call it only while nothing is in flight. The reading is repeated if a process ended meanwhile, because that process
    might be counted twice, or not at all.
    """
    while True:
        wait_for_orphans()
        before = _below()
        total = _own_cpu_s() + sum(process.cpu_s for process in before.values())
        if _below().keys() == before.keys():
            return total


def wait_for_orphans() -> None:
    """Wait for ended processes that we did not start; a launcher leads a session, and its pool waits for it."""
    for process in _below().values():
        if (
            process.state == "Z"
            and process.parent == os.getpid()
            and process.session not in {process.pid, os.getsid(0)}
        ):
            with suppress(ChildProcessError):
                os.waitpid(process.pid, os.WNOHANG)


def _own_cpu_s() -> float:
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _below() -> Mapping[int, _Process]:
    """Return every descendant of this process, by its id."""
    everything = {process.pid: process for process in _processes()}
    return {pid: process for pid, process in everything.items() if _is_below(process, everything)}


def _is_below(process: _Process, everything: Mapping[int, _Process]) -> bool:
    at: _Process | None = process
    while at is not None and at.parent != os.getpid():
        at = everything.get(at.parent)
    return at is not None


def _processes() -> Iterator[_Process]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with suppress(OSError):  # it ended meanwhile
                yield _read(int(entry.name), (entry / "stat").read_text())


def _read(pid: int, line: str) -> _Process:
    fields = line.rpartition(")")[2].split()  # the command's name before it may contain blanks and brackets
    ticks = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
    return _Process(pid, fields[0], int(fields[1]), int(fields[3]), ticks / _TICKS_S)

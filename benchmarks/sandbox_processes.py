"""The processor time of a sandbox: that of this process and of every other that works for it, dead or alive.

A zygote is not our child but our child's, and its forks are further down. When a launcher is killed, what stood below
it goes to process 1, and its processor time with it. So this process declares itself the one to whom orphans go
(``PR_SET_CHILD_SUBREAPER``) and waits for them: then the kernel adds what they, and all that they waited for, took to
what our children took. For processes that still live, ``/proc/PID/stat`` says the same, in hundredths of a second: its
own time, and that of its children that it waited for.

Everything is counted so: event loop and codec here, launchers, zygotes, forks, and zygotes started as spares or in
place of worn ones.
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
    """Within it, processes that lose their parent become our children."""
    _subreaper(on=True)
    try:
        yield
    finally:
        wait_for_orphans()
        _subreaper(on=False)


def _subreaper(*, on: bool) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(on), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "orphans cannot be had")


def cpu_s() -> float:
    """User and system time of this process and of everything below it, since it began.

    Take it while nothing is under way. It is read again where a process ended meanwhile: that one might be counted
    twice, or not at all.
    """
    while True:
        wait_for_orphans()
        before = _below()
        total = _own_cpu_s() + sum(process.cpu_s for process in before.values())
        if _below().keys() == before.keys():
            return total


def wait_for_orphans() -> None:
    """Wait for what ended and was not started by us; each launcher leads a session, and is waited for by its pool."""
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
    """Every process below this one, by its number."""
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
    fields = line.rpartition(")")[2].split()
    ticks = sum(map(int, fields[11:15]))
    return _Process(pid, fields[0], int(fields[1]), int(fields[3]), ticks / _TICKS_S)

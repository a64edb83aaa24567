"""Watches the total memory of all processes behind one zygote from outside, where no control group limits it.

A limit per process does not limit their sum. Polling does, up to the memory that can be taken between two polls.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

LOOK_AGAIN_S: Final = 0.05
_PROC: Final = Path("/proc")


class MemoryWatch:
    """Active while a fork of the zygote runs; ``struck`` is set if the fork was killed for exceeding the limit.

    With ``most_bytes`` of 0 nothing is watched.
    """

    def __init__(self, zygote: int, most_bytes: int) -> None:
        self.struck = False
        self._zygote = zygote
        self._most_bytes = most_bytes
        self._watching: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._most_bytes:
            self._watching = asyncio.ensure_future(self._watch())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.wait([self._watching])

    async def _watch(self) -> None:
        while not self.struck:
            await asyncio.sleep(LOOK_AGAIN_S)  # the limit can be exceeded for this long
            if await asyncio.to_thread(taken_behind, self._zygote) > self._most_bytes:
                self.struck = True  # before the kill, so that a caller that sees its effect finds the cause
                _end_children_of(self._zygote)


def taken_behind(zygote: int) -> int:
    """Return the bytes that the descendants of this process use, shared pages counted once, as far as /proc shows."""
    return sum(map(_taken, _descendants(zygote)))


def _taken(process: int) -> int:
    with suppress(OSError, ValueError):
        for line in (_PROC / str(process) / "smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1_024  # proportional: a shared page counts once in total
    return 0


def _children(process: int) -> list[int]:
    found: list[int] = []
    with suppress(OSError):
        for thread in (_PROC / str(process) / "task").iterdir():
            found += map(int, (thread / "children").read_text(encoding="ascii").split())
    return found


def _descendants(process: int) -> Iterator[int]:
    waiting = _children(process)
    while waiting:
        found = waiting.pop()
        yield found
        waiting += _children(found)


def _end_children_of(process: int) -> None:
    """Kill each child; it is the first process of a pid namespace, so everything in that namespace dies with it."""
    for child in _children(process):
        with suppress(OSError):
            handle = os.pidfd_open(child)
            try:
                if child in _children(process):  # the pid may have been reused before we opened it
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)

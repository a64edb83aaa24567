"""Memory of all the processes behind one zygote together, where no control group bounds it: looked at from outside.

A limit per process does not bound many of them. Looking now and then does, up to what can be taken between two looks.
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
    """Entered while a fork of the zygote runs; ``struck`` says whether it was ended for the memory that it took.

    With ``most_bytes`` of 0 nobody watches.
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
            await asyncio.sleep(LOOK_AGAIN_S)
            if await asyncio.to_thread(taken_behind, self._zygote) > self._most_bytes:
                self.struck = True  # before the blow, so that whoever sees its effect knows its cause
                _end_children_of(self._zygote)


def taken_behind(zygote: int) -> int:
    """Bytes that the descendants of this process take, each page counted once, as far as we may look."""
    return sum(map(_taken, _descendants(zygote)))


def _taken(process: int) -> int:
    with suppress(OSError, ValueError):
        for line in (_PROC / str(process) / "smaps_rollup").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1_024
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
    """End each child, the first of a pid namespace of its own, and with it everybody in there."""
    for child in _children(process):
        with suppress(OSError):
            handle = os.pidfd_open(child)
            try:
                if child in _children(process):  # still the one that was meant
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
            finally:
                os.close(handle)

"""Observations of the parent in ``/proc``, during an attack and after it."""

from __future__ import annotations

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_LOOK_EVERY_S: Final = 0.02
_PATIENCE_S: Final = 3.0  # how long processes may take to end
_NAMESPACES: Final = ("user", "mnt", "pid", "net", "ipc", "uts", "cgroup")


class Watch:
    """Observes the descendants of this process: their tasks, what they hold, and how long this process is blocked.

    Args:
        name: the name that an attack gives its processes.
        holds: what to look for among descriptors and namespaces; nothing if empty.
    """

    def __init__(self, name: str, holds: str) -> None:
        self._name = name
        self._holds = holds
        self.most_tasks = 0
        self.held = False
        self.longest_pause_s = 0.0
        self._before = 0
        self._last = 0.0

    async def __aenter__(self) -> Watch:
        self._before = sum(map(_tasks, descendants()))
        self._last = time.monotonic()
        self._looking = asyncio.ensure_future(self._look())
        self._beating = asyncio.ensure_future(self._beat())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._breathe()  # a pause that lasts until the end of the block counts too
        for task in (self._looking, self._beating):
            task.cancel()
        await asyncio.gather(self._looking, self._beating, return_exceptions=True)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_EVERY_S)
            self._breathe()

    def _breathe(self) -> None:
        now = time.monotonic()
        self.longest_pause_s, self._last = max(self.longest_pause_s, now - self._last - _LOOK_EVERY_S), now

    async def _look(self) -> None:
        while True:
            found = list(descendants())
            self.most_tasks = max(self.most_tasks, sum(map(_tasks, found)) - self._before)
            if self._holds and not self.held:
                self.held = any(
                    self._holds in thing for pid in found if _comm(pid) == self._name for thing in _things(pid)
                )
            await asyncio.sleep(_LOOK_EVERY_S)

    async def survivors(self) -> list[str]:
        """Return the processes that an attack left: those it named, and those deeper inside than any zygote.

        A starting zygote tests its layers in such nested processes, which end at once.
        """
        named = [f"process {pid} still runs" for pid in _all_pids() if _comm(pid) == self._name]
        inside, until = set(_far_inside()), time.monotonic() + _PATIENCE_S
        while inside and time.monotonic() < until:
            await asyncio.sleep(_LOOK_EVERY_S)
            inside &= set(_far_inside())
        return named + [f"process {pid} still runs inside" for pid in sorted(inside)]


def _far_inside() -> Iterator[int]:
    # A zygote is one pid namespace further inside than this process.
    deep = len(_nested(os.getpid())) + 2
    return (pid for pid in descendants() if len(_nested(pid)) >= deep)


def descendants() -> Iterator[int]:
    """Yield every process that this one started, directly or indirectly."""
    children = defaultdict(list)
    for pid in _all_pids():
        children[_parent(pid)].append(pid)
    waiting = [os.getpid()]
    while waiting:
        found = children.pop(waiting.pop(), [])
        waiting += found
        yield from found


def _all_pids() -> list[int]:
    return [int(path.name) for path in _PROC.iterdir() if path.name.isdigit()]


def _read(pid: int, name: str) -> str:
    with suppress(OSError):  # the process may have ended
        return (_PROC / str(pid) / name).read_text(encoding="utf-8", errors="replace")
    return ""


def _comm(pid: int) -> str:
    return _read(pid, "comm").strip()


def _parent(pid: int) -> int:
    # The name in parentheses may contain spaces and parentheses.
    fields = _read(pid, "stat").rpartition(")")[2].split()
    return int(fields[1]) if len(fields) > 1 else -1


def _nested(pid: int) -> list[str]:
    """Return its ids in its pid namespaces; none if it has ended."""
    lines = _read(pid, "status").splitlines()
    if any(line.startswith("State:\tZ") for line in lines):
        return []
    return next((line.split()[1:] for line in lines if line.startswith("NSpid:")), [])


def _tasks(pid: int) -> int:
    with suppress(OSError):
        return sum(1 for _ in (_PROC / str(pid) / "task").iterdir())
    return 0


def _things(pid: int) -> Iterator[str]:
    """Yield its descriptors by name, and its namespaces other than ours as ``namespace:user`` and so on."""
    with suppress(OSError):
        for descriptor in (_PROC / str(pid) / "fd").iterdir():
            with suppress(OSError):
                yield str(descriptor.readlink())
    for kind in _NAMESPACES:
        with suppress(OSError):
            if (_PROC / str(pid) / "ns" / kind).readlink() != (_PROC / "self/ns" / kind).readlink():
                yield f"namespace:{kind}"

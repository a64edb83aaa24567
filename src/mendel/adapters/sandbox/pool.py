"""Zygotes kept warm: who gets one next, when one is replaced, and how many there are."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager, suppress
from typing import Generic, Protocol, TypeVar


class Worker(Protocol):
    """What a pool keeps."""

    broken: bool
    evaluations: int

    def close(self) -> None:
        """End it and wait for its end."""


K = TypeVar("K", bound=Hashable)
W = TypeVar("W", bound=Worker)


class Pool(Generic[K, W]):
    """At most ``size`` workers at work, first come, first served; idle ones are kept by what they can do.

    A worker is replaced after ``recycle_after`` evaluations. While one works and none is idle, a spare is started
    beside it, so that a replacement, or the next caller, need not wait for one.
    """

    def __init__(self, start: Callable[[K], Awaitable[W]], size: int, recycle_after: int) -> None:
        self._start = start
        self._places = asyncio.Semaphore(size)
        self._most_idle = 2 * size + 2
        self._recycle_after = recycle_after
        self._idle: OrderedDict[K, deque[W]] = OrderedDict()
        self._spares: dict[K, asyncio.Task[W]] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._working: set[W] = set()

    @asynccontextmanager
    async def lease(self, kind: K) -> AsyncIterator[W]:
        """A worker of that kind for one evaluation."""
        async with self._places:
            worker = await self._take(kind)
            self._working.add(worker)
            self._keep_a_spare(kind)
            try:
                yield worker
            finally:
                self._working.discard(worker)
                self._give_back(kind, worker)

    async def aclose(self) -> None:
        """End every worker."""
        for spare in self._spares.values():
            spare.cancel()
        for spare in list(self._spares.values()):
            with suppress(asyncio.CancelledError, Exception):  # a spare that failed to start is no loss now
                self._end(await spare)
        self._spares.clear()
        for worker in [*self._working, *(worker for idle in self._idle.values() for worker in idle)]:
            self._end(worker)
        self._idle.clear()
        await asyncio.gather(*self._ending)

    async def _take(self, kind: K) -> W:
        idle = self._idle.get(kind)
        while idle:
            worker = idle.popleft()
            if not worker.broken:
                return worker
            self._end(worker)
        spare = self._spares.pop(kind, None)
        return await spare if spare is not None else await self._start(kind)

    def _keep_a_spare(self, kind: K) -> None:
        if not self._idle.get(kind) and kind not in self._spares:
            self._spares[kind] = asyncio.ensure_future(self._start(kind))
            self._spares[kind].add_done_callback(lambda spare: spare.cancelled() or spare.exception())

    def _give_back(self, kind: K, worker: W) -> None:
        if worker.broken or worker.evaluations >= self._recycle_after:
            self._end(worker)
            return
        self._idle.setdefault(kind, deque()).append(worker)
        self._idle.move_to_end(kind)
        while sum(map(len, self._idle.values())) > self._most_idle:
            oldest = next(iter(self._idle))
            self._end(self._idle[oldest].popleft())
            if not self._idle[oldest]:
                del self._idle[oldest]

    def _end(self, worker: W) -> None:
        """Beside everything else: to wait for a process's end takes milliseconds."""
        task = asyncio.ensure_future(asyncio.to_thread(worker.close))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

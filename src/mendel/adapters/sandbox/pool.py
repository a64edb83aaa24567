"""A pool of warm zygotes: assigns them to callers, replaces them and limits their number."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable
from contextlib import asynccontextmanager
from typing import Generic, Protocol, TypeVar

from mendel.contracts.errors import SandboxFailed


class Worker(Protocol):
    """A process that a pool manages."""

    broken: bool
    evaluations: int

    def kill(self) -> None:
        """End it; a caller that waits for it stops waiting."""

    def close(self) -> None:
        """End it and wait for its end."""


K = TypeVar("K", bound=Hashable)
W = TypeVar("W", bound=Worker)


class Pool(Generic[K, W]):
    """At most ``size`` workers busy at once, first come, first served; idle ones are kept by kind.

    A worker is replaced after ``recycle_after`` evaluations. While one is busy and none of its kind is idle, a spare is
    started, so that neither a replacement nor the next caller has to wait; but not on the first request for a kind,
    because many kinds are requested only once.
    """

    def __init__(self, start: Callable[[K], Awaitable[W]], size: int, recycle_after: int) -> None:
        self._start = start
        self._places = asyncio.Semaphore(size)
        self._most_idle = 2 * size + 2
        self._recycle_after = recycle_after
        self._used: OrderedDict[K, None] = OrderedDict()
        self._idle: dict[K, deque[W]] = {}
        self._spares: dict[K, asyncio.Task[W]] = {}
        self._starting: set[asyncio.Task[W]] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._working: set[W] = set()
        self._rested = asyncio.Event()
        self._closed = False

    @asynccontextmanager
    async def lease(self, kind: K) -> AsyncIterator[W]:
        """Lease a worker of that kind for one evaluation.

        Raises:
            SandboxFailed: the pool is closed, or no worker can be started.
        """
        async with self._places:
            known = kind in self._used
            worker = await self._take(kind)
            self._working.add(worker)
            if known:
                self._keep_a_spare(kind)
            try:
                yield worker
            finally:
                self._working.discard(worker)
                self._rested.set()
                self._give_back(kind, worker)

    async def aclose(self) -> None:
        """End every worker; a caller that waits for one gets an error."""
        self._closed = True
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for kind, spare in self._spares.items():
            self._keep_if_started(kind, spare)
        self._spares.clear()
        for worker in self._working:
            worker.kill()
        while self._working:
            self._rested.clear()
            await self._rested.wait()
        for idle in self._idle.values():
            for worker in idle:
                self._end(worker)
        self._idle.clear()
        await asyncio.gather(*self._ending)

    async def _take(self, kind: K) -> W:
        self._refuse_if_closed()
        self._used[kind] = None
        self._used.move_to_end(kind)
        while kind in self._idle:
            worker = self._popped(kind)
            if not worker.broken:
                return worker
            self._end(worker)
        starting = self._spares.pop(kind, None) or self._begin(kind)
        try:
            # Shielded: if this caller is cancelled, the worker still starts and goes to the next caller.
            worker = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(lambda started: self._keep_if_started(kind, started))
            if starting.cancelled():
                self._refuse_if_closed()
            raise
        return worker

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise SandboxFailed("the sandbox is closed")

    def _begin(self, kind: K) -> asyncio.Task[W]:
        task = asyncio.ensure_future(self._start(kind))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # marks it as retrieved
        return task

    def _keep_if_started(self, kind: K, started: asyncio.Task[W]) -> None:
        if not started.cancelled() and started.exception() is None:
            self._give_back(kind, started.result())

    def _keep_a_spare(self, kind: K) -> None:
        if kind not in self._idle and kind not in self._spares and not self._closed:
            self._spares[kind] = self._begin(kind)
            self._evict()

    def _give_back(self, kind: K, worker: W) -> None:
        if self._closed or worker.broken or worker.evaluations >= self._recycle_after:
            self._end(worker)
            return
        self._idle.setdefault(kind, deque()).append(worker)
        self._evict()

    def _evict(self) -> None:
        """Limit the number of idle workers and spares; drop those of the least recently used kinds first."""
        while len(self._spares) + sum(map(len, self._idle.values())) > self._most_idle:
            oldest = next(kind for kind in self._used if kind in self._spares or kind in self._idle)
            if oldest in self._spares:
                self._drop(self._spares.pop(oldest))
            else:
                self._end(self._popped(oldest))

    def _popped(self, kind: K) -> W:
        worker = self._idle[kind].popleft()
        if not self._idle[kind]:
            del self._idle[kind]
        return worker

    def _drop(self, spare: asyncio.Task[W]) -> None:
        if not spare.cancel() and not spare.cancelled() and spare.exception() is None:
            self._end(spare.result())

    def _end(self, worker: W) -> None:
        """Close it in a thread: waiting for a process to end takes milliseconds."""
        task = asyncio.ensure_future(asyncio.to_thread(worker.close))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

"""Group commit: batches of one run are committed in order, grouped while the previous commit is running."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from mendel.contracts.errors import DuplicateEventId, SequenceConflict
from mendel.ports.records import Record

MAX_GROUP_RECORDS = 2_000
"""Limits of one group, so that a backlog does not become one huge transaction."""
MAX_GROUP_BYTES = 16_000_000


class _Batch(NamedTuple):
    records: Sequence[Record]
    done: asyncio.Future[None]


class CommitLane:
    """The queue of batches that one run commits to the store.

    Batches are chained before they are written, so a failed batch invalidates those behind it: they fail with
    ``SequenceConflict``, and the lane stays ``broken``.
    """

    def __init__(self, commit: Callable[[Sequence[Record]], Awaitable[None]]) -> None:
        self._commit = commit
        self._waiting: deque[_Batch] = deque()
        self._drainer: asyncio.Task[None] | None = None
        self._committing = False
        self.broken = False

    async def begun(self) -> None:
        """Let a waiting commit start first, so that the store works while the caller computes."""
        if self._waiting and not self._committing:
            await asyncio.sleep(0)  # lets the drainer start

    def submit(self, records: Sequence[Record]) -> asyncio.Future[None]:
        """Queue ``records`` and return a future that is done when they are durable or have failed."""
        batch = _Batch(records, asyncio.get_running_loop().create_future())
        if self.broken:
            _fail((batch,), SequenceConflict("a batch before this one failed"))
            return batch.done
        self._waiting.append(batch)
        if self._drainer is None or self._drainer.done():
            self._drainer = asyncio.create_task(self._drain())
        return batch.done

    async def idle(self) -> None:
        """Return once nothing is in flight."""
        while self._drainer is not None and not self._drainer.done():
            await asyncio.wait((self._drainer,))

    async def _drain(self) -> None:
        while self._waiting:
            group = self._take()
            try:
                self._committing = True
                await self._commit_group(group)
            except BaseException as error:
                # Every caller gets the error, whatever it is: an unresolved future would block its caller for ever.
                self._break(group, error)
                # Cancellation and exit also end the drainer.
                if not isinstance(error, Exception):
                    raise
            finally:
                self._committing = False

    async def _commit_group(self, group: list[_Batch]) -> None:
        try:
            await self._commit([record for batch in group for record in batch.records])
        except DuplicateEventId:
            if len(group) == 1:
                raise
            await self._commit_one_by_one(group)
        _succeed(group)

    async def _commit_one_by_one(self, group: list[_Batch]) -> None:
        """Find the batch with the duplicate id, so that the batches before it are not refused with it."""
        for batch in list(group):
            await self._commit(batch.records)
            _succeed((batch,))
            group.remove(batch)  # after a failure the group starts with the failed batch

    def _take(self) -> list[_Batch]:
        group, count, size = [self._waiting.popleft()], 0, 0
        while self._waiting:
            count += len(group[-1].records)
            size += sum(len(record.payload) for record in group[-1].records)
            if count >= MAX_GROUP_RECORDS or size >= MAX_GROUP_BYTES:
                break
            group.append(self._waiting.popleft())
        return group

    def _break(self, group: list[_Batch], error: BaseException) -> None:
        self.broken = True
        behind = [*group[1:], *self._waiting]
        self._waiting.clear()
        _fail(group[:1], error)
        shared = not isinstance(error, DuplicateEventId)  # a duplicate id is only the first batch's fault
        _fail(behind, error if shared else SequenceConflict("the batch before this one was refused"))


def _succeed(batches: Sequence[_Batch]) -> None:
    for batch in batches:
        if not batch.done.done():
            batch.done.set_result(None)


def _fail(batches: Sequence[_Batch], error: BaseException) -> None:
    for batch in batches:
        if batch.done.done():
            continue
        if isinstance(error, asyncio.CancelledError):
            batch.done.cancel()
        else:
            batch.done.set_exception(error)

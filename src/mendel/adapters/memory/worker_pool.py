"""A pool of worker processes: limits their number, assigns tasks, and retries a task when its worker dies."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pydantic_core import to_json

from mendel.adapters.memory.frames import MAX_FRAME_BYTES
from mendel.adapters.memory.outcomes import Outcome, failed, overran
from mendel.adapters.memory.plain_work import PlainWork
from mendel.adapters.memory.worker import Worker, WorkerDied
from mendel.contracts.base import JsonObject
from mendel.ports.handlers import Handler


class WorkerPool(PlainWork):
    """At most ``size`` processes, started on demand and kept warm; first come, first served."""

    def __init__(self, size: int, max_deliveries: int, references: Mapping[str, str]) -> None:
        self._places = asyncio.Semaphore(size)
        self._max_deliveries = max_deliveries
        self._references = references
        self._idle: list[Worker] = []
        self._ending: set[Worker] = set()

    async def run(
        self,
        handler: Handler,  # noqa: ARG002 - a worker process looks it up itself
        payload: JsonObject,
        deadline_s: float | None,
    ) -> Outcome:
        """Have a worker perform the task, and another one each time a worker dies."""
        try:
            message = to_json(payload)
        except ValueError as error:
            return Outcome(failed("bad_payload", type(error).__name__, f"the payload is not JSON: {error}"))
        if len(message) > MAX_FRAME_BYTES:
            return Outcome(failed("bad_payload", "PayloadTooLarge", f"the payload takes {len(message)} bytes"))
        async with self._places:
            return await self._delivered(message, deadline_s)

    async def close(self) -> None:
        """End every worker."""
        await asyncio.gather(*map(self._end, {*self._idle, *self._ending}))
        self._idle.clear()

    async def _delivered(self, message: bytes, deadline_s: float | None) -> Outcome:
        ends: list[str] = []
        for delivery in range(1, self._max_deliveries + 1):
            try:
                return Outcome(await self._once(message, deadline_s), delivery)
            except TimeoutError:
                return Outcome(overran(deadline_s or 0.0), delivery)
            except (WorkerDied, OSError) as error:  # OSError: no process could be started
                ends.append(str(error))
        return Outcome(_dead_letter(ends), self._max_deliveries, dead=True)

    async def _once(self, message: bytes, deadline_s: float | None) -> JsonObject:
        worker = await self._worker()
        try:
            data = await worker.perform(message, deadline_s)
        except WorkerDied as death:
            raise WorkerDied(f"{death} ({await self._end(worker)})") from death
        except BaseException:  # it is still busy, so it cannot be kept
            await self._end(worker)
            raise
        self._idle.append(worker)
        return data

    async def _worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if not worker.has_ended:
                return worker
            await self._end(worker)
        return Worker(self._references)

    async def _end(self, worker: Worker) -> str:
        """End the worker and return how it ended; if this is cancelled halfway, ``close`` completes it."""
        self._ending.add(worker)
        how = await worker.end()
        self._ending.discard(worker)
        return how


def _dead_letter(ends: list[str]) -> JsonObject:
    message = f"the task was given up after {len(ends)} deliveries; its workers: {'; '.join(ends)}"
    return failed("dead_letter", "WorkerDied", message, attempts=len(ends))

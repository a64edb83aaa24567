"""The task fabric in memory: complete, and the reference for the other implementations."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Final, cast

from mendel.adapters.memory.handler_directory import HandlerDirectory, runs_inline
from mendel.adapters.memory.outcomes import Outcome, failed, overran, perform_inline
from mendel.adapters.memory.plain_work import PlainWork
from mendel.adapters.memory.stopping import ended_within, stop
from mendel.adapters.memory.task_lane import Kept, MemoryTaskLane
from mendel.adapters.memory.worker_pool import WorkerPool
from mendel.adapters.memory.worker_thread import ThreadWork
from mendel.contracts.base import JsonObject
from mendel.contracts.errors import FabricClosed, FabricError, PluginError
from mendel.contracts.evaluations import Isolation
from mendel.contracts.tasks import Task
from mendel.contracts.work import Answer
from mendel.ports.children import ChildLine
from mendel.ports.handlers import Handler, Ports, find_handler
from mendel.ports.task_fabric import FabricGuarantees, TaskFabric, TaskLane

_NO_REFERENCES: Final[Mapping[str, str]] = MappingProxyType({})

_Inline = Callable[..., Awaitable[Answer]]


class MemoryTaskFabric(TaskFabric):
    """Runs handlers in this process and in ``workers`` child processes; everything ends with the conductor.

    - A coroutine function runs as an asyncio task here, without a limit on their number. It is stopped by
      cancellation; one that swallows every cancellation is abandoned after three seconds and runs on without a result.
    - A plain function runs in a worker process; all lanes together use at most ``workers``, in order of submission. It
      is stopped by killing its process with all children. With ``workers=0`` it runs in a thread of this process, one
      at a time, and cannot be killed: after its deadline or cancellation it runs on.
    - A deadline counts from each delivery: from the moment a handler is called, not while the task is queued.
    - ``handler_references`` maps steps to ``module:attribute`` and has priority over ``handlers``. Worker processes use
      it too, and otherwise the entry points.
    - ``ports`` are passed to coroutine functions that accept them, each port only to steps that name it.
    - A lane can be reopened as long as the fabric lives; it then delivers the unacknowledged results.
    """

    def __init__(
        self,
        *,
        workers: int = 2,
        max_deliveries: int = 3,
        capabilities: frozenset[str] = frozenset(),
        handlers: Callable[[str], Handler] = find_handler,
        handler_references: Mapping[str, str] = _NO_REFERENCES,
        ports: Ports | None = None,
    ) -> None:
        if workers < 0 or max_deliveries < 1:
            raise ValueError(f"workers is at least 0 and max_deliveries 1, not {workers} and {max_deliveries}")
        self.guarantees = FabricGuarantees(survives_its_conductor=False, kills_overrunning_handlers=workers > 0)
        self._capabilities = capabilities
        self._ports = ports or Ports()
        self.ports = self._ports.names
        self._directory = HandlerDirectory(handler_references, handlers)
        self._plain: PlainWork = WorkerPool(workers, max_deliveries, handler_references) if workers else ThreadWork()
        self._lanes: dict[str, MemoryTaskLane] = {}
        self._kept: defaultdict[str, Kept] = defaultdict(Kept)
        self._closed = False

    async def isolation(self) -> Isolation | None:
        """Return the isolation of the sandbox, which all handlers share; None without a sandbox."""
        return await self._ports.sandbox.isolation() if self._ports.has("sandbox") else None

    @asynccontextmanager
    async def lane(self, run_id: str) -> AsyncIterator[TaskLane]:
        """Open the run's lane. Leaving the context stops its tasks and closes the lane.

        Raises:
            FabricClosed: the fabric is closed.
            FabricError: the run's lane is already open.
        """
        if self._closed:
            raise FabricClosed("the fabric is closed")
        if run_id in self._lanes:
            raise FabricError(f"the lane of run {run_id} is open already; one conductor has one lane")
        lane = self._lanes[run_id] = MemoryTaskLane(self._carry, self._kept[run_id])
        try:
            yield lane
        finally:
            await lane.leave()
            self._forget(run_id)

    async def close(self) -> None:
        """Leave every lane and stop every worker."""
        self._closed = True
        await asyncio.gather(*(lane.leave() for lane in self._lanes.values()))
        await self._plain.close()

    def _forget(self, run_id: str) -> None:
        del self._lanes[run_id]
        if self._kept[run_id] == Kept():  # nothing to pass on to the next lane
            del self._kept[run_id]

    async def _carry(self, task: Task, deadline_ms: int | None, line: ChildLine) -> Outcome:
        if lacking := set(task.requires) - self._capabilities:
            return Outcome(failed("no_worker", "FabricError", f"no worker has {', '.join(sorted(lacking))}"))
        step = task.payload.get("handler")
        if not isinstance(step, str):
            return Outcome(failed("bad_payload", "InvalidPayload", "the task's payload names no handler"))
        try:
            handler = await self._directory.find_soon(step)
        except PluginError as error:
            return Outcome(failed("unknown_handler", type(error).__name__, str(error)))
        deadline_s = None if deadline_ms is None else deadline_ms / 1000
        if runs_inline(handler):
            return Outcome(await _inline(cast("_Inline", handler), task.payload, deadline_s, self._ports, line))
        return await self._plain.run(handler, task.payload, deadline_s)


async def _inline(
    handler: _Inline, payload: JsonObject, deadline_s: float | None, ports: Ports, line: ChildLine
) -> JsonObject:
    if deadline_s is None:
        return await perform_inline(handler, payload, ports, line)
    running = asyncio.create_task(perform_inline(handler, payload, ports, line))
    try:
        in_time = await ended_within(running, deadline_s)
    except asyncio.CancelledError:
        await stop(running)
        raise
    if in_time:
        return running.result()
    await stop(running)
    return overran(deadline_s)

"""A run's lane in memory."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from mendel.adapters.memory.outcomes import Outcome, failed
from mendel.adapters.memory.stopping import stop
from mendel.contracts.errors import FabricClosed
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.tasks import Result, Task
from mendel.contracts.times import utc_now
from mendel.contracts.work import ChildAnswered, ChildAsked
from mendel.ports.children import ChildLine
from mendel.ports.task_fabric import TaskLane

Carry = Callable[[Task, int | None, ChildLine], Awaitable[Outcome]]
"""Performs a task within a deadline in milliseconds; its handler requests child operations through the line."""


@dataclass
class Kept:
    """State that a run's lane passes to its next one: unacknowledged results, and dead letters."""

    ended: dict[str, tuple[Task, Result]] = field(default_factory=dict)
    dead: list[Task] = field(default_factory=list)


@dataclass(slots=True)
class _Errand:
    task: Task
    runner: asyncio.Task[None] | None = None
    dropped: bool = False


class MemoryTaskLane(TaskLane):
    """Each task is a separate asyncio task from submission to result.

    A task id stays known until its result is acknowledged or the task is cancelled.
    """

    def __init__(self, carry: Carry, kept: Kept) -> None:
        self._carry = carry
        self._kept = kept
        self._fresh = {task_id: result for task_id, (_, result) in kept.ended.items()}  # delivered again
        self._errands: dict[str, _Errand] = {}
        self._wishes: list[ChildAsked] = []
        self._askers: dict[tuple[str, int], asyncio.Future[ChildAnswered]] = {}
        self._wished = asyncio.Event()
        self._news = asyncio.Event()
        self._quiet = asyncio.Event()
        self._draining = False
        self._closed = False

    async def submit(self, task: Task, *, deadline_ms: int | None = None) -> None:
        """Start ``task``; a no-op if its id is known already."""
        if self._draining or self._closed:
            raise FabricClosed(f"the lane accepts no more tasks; task {task.id} was not accepted")
        if task.id in self._errands or task.id in self._kept.ended:
            return
        errand = self._errands[task.id] = _Errand(task)
        errand.runner = asyncio.create_task(self._carry_out(errand, deadline_ms))

    async def results(self) -> Sequence[Result]:
        """Wait for results that this lane has not delivered yet, and return all of them.

        Raises:
            FabricClosed: the lane was left, or the fabric closed.
        """
        while not self._fresh and not self._closed:
            self._news.clear()
            await self._news.wait()
        if self._closed:
            raise FabricClosed("the lane is closed; results that were not acknowledged wait for the next one")
        batch = tuple(self._fresh.values())
        self._fresh.clear()
        return batch

    async def asked(self) -> Sequence[ChildAsked]:
        """Wait until running handlers request child operations, and return all undelivered requests.

        Raises:
            FabricClosed: the lane was left, or the fabric closed.
        """
        while not self._wishes and not self._closed:
            self._wished.clear()
            await self._wished.wait()
        if self._closed:
            raise FabricClosed("the lane is closed; no handler runs that could request an operation")
        batch, self._wishes = tuple(self._wishes), []
        return batch

    async def answer(self, answered: ChildAnswered) -> None:
        """Pass a child's answer to the handler that requested it; a no-op if its task has ended."""
        asker = self._askers.pop((answered.task_id, answered.index), None)
        if asker is not None and not asker.done():
            asker.set_result(answered)

    async def _ask(self, errand: _Errand, step: str, inputs: DomainPayload | None, index: int) -> ChildAnswered:
        """Request a child and wait for its answer; concurrent requests with the same index share one child."""
        key = errand.task.id, index
        if key not in self._askers:
            self._askers[key] = asyncio.get_running_loop().create_future()
            self._wishes.append(ChildAsked(task_id=errand.task.id, index=index, step=step, inputs=inputs))
            self._wished.set()
        return await asyncio.shield(self._askers[key])  # shared: one cancelled caller must not cancel it

    async def acknowledge(self, task_ids: Sequence[str]) -> None:
        """Forget results that have been recorded. Unknown ids are ignored."""
        for task_id in task_ids:
            self._forget(task_id)

    async def cancel(self, task_id: str) -> None:
        """Stop the task and drop its result; a no-op if it is unknown or has ended."""
        self._forget(task_id)
        if errand := self._errands.get(task_id):
            errand.dropped = True
            await self._stop([errand])

    async def outstanding(self) -> Mapping[str, Task]:
        """Return the tasks that are queued, running or unacknowledged, by task id."""
        ended = {task_id: task for task_id, (task, _) in self._kept.ended.items()}
        return ended | {task_id: errand.task for task_id, errand in self._errands.items() if not errand.dropped}

    async def drain(self) -> None:
        """Accept no more tasks, and return once none is queued or running."""
        self._draining = True
        while self._errands:
            self._quiet.clear()
            await self._quiet.wait()

    async def dead_letters(self) -> Sequence[Task]:
        """Return the tasks that were given up because every worker that performed them died."""
        return tuple(self._kept.dead)

    async def leave(self) -> None:
        """Stop running tasks and deliver nothing more; unacknowledged results are kept."""
        self._closed = True
        self._news.set()
        self._wished.set()
        errands = list(self._errands.values())
        for errand in errands:
            errand.dropped = True
        await self._stop(errands)

    async def _stop(self, errands: Sequence[_Errand]) -> None:
        await asyncio.gather(*(stop(errand.runner) for errand in errands if errand.runner is not None))
        for errand in errands:
            self._discard(errand)

    async def _carry_out(self, errand: _Errand, deadline_ms: int | None) -> None:
        try:
            outcome = await self._carry(errand.task, deadline_ms, partial(self._ask, errand))
        # Broad on purpose: even if the fabric itself fails, a task without a result would block its run.
        except Exception as error:  # noqa: BLE001
            outcome = Outcome(failed("fabric", type(error).__name__, str(error)))
        if not errand.dropped:  # otherwise it was cancelled, or the lane was left
            self._end(errand, outcome)

    def _end(self, errand: _Errand, outcome: Outcome) -> None:
        task = errand.task
        result = _result(task, outcome)
        self._kept.ended[task.id] = task, result
        self._fresh[task.id] = result
        if outcome.dead:
            self._kept.dead.append(task)
        self._news.set()
        self._discard(errand)

    def _discard(self, errand: _Errand) -> None:
        self._errands.pop(errand.task.id, None)
        for key in [key for key in self._askers if key[0] == errand.task.id]:
            self._askers.pop(key).cancel()
        self._wishes = [each for each in self._wishes if each.task_id != errand.task.id]
        if not self._errands:
            self._quiet.set()

    def _forget(self, task_id: str) -> None:
        self._kept.ended.pop(task_id, None)
        self._fresh.pop(task_id, None)


def _result(task: Task, outcome: Outcome) -> Result:
    # Not validated again: the data just came from JSON, and a megabyte would block the event loop for milliseconds.
    return Result.model_construct(
        task_id=task.id,
        status=outcome.status,
        data={"operation_id": _operation_id(task), **outcome.data},
        created_at=utc_now(),
        attempts=outcome.deliveries,
    )


def _operation_id(task: Task) -> str:
    match task.payload:
        case {"work": {"operation": {"id": str(found)}}}:
            return found
    return ""

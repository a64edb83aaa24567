"""The gaps of a conductor: where exactly it can be stopped, so that it is killed exactly there.

Everything here wraps ports, from the outside; the kernel knows nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tests.chaos import marks
from tests.chaos.homes import Home

from mendel.adapters.file.event_log import FileEventLog
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.contracts.tasks import Result, Task
from mendel.ports.event_log import EventLog
from mendel.ports.records import Record
from mendel.ports.task_fabric import TaskLane

Place = Literal["nowhere", "submit", "results", "before append", "after append", "acknowledge"]
"""Before an effect; before its result is recorded; inside an append, before and after the store did it; after it."""

REACHED: Final = b"G"
"""The mark of a conductor that has stopped where it was told to."""


@dataclass
class Gaps:
    """Stops the whole process, for ever, when it comes to ``place`` for the ``nth`` time."""

    descriptor: int
    place: Place = "nowhere"
    nth: int = 1
    _times: int = field(default=0, init=False)

    def reach(self, place: Place) -> None:
        """The process is at ``place``."""
        if place != self.place:
            return
        self._times += 1
        if self._times == self.nth:
            marks.send(self.descriptor, REACHED)
            while True:
                time.sleep(3600)

    def mark(self, kind: bytes) -> None:
        marks.send(self.descriptor, kind)


class _GapLog(EventLog):
    gaps: Gaps | None = None

    async def _commit(self, run_id: str, records: Sequence[Record]) -> None:
        if self.gaps is None:
            await super()._commit(run_id, records)  # type: ignore[safe-super]
            return
        self.gaps.mark(marks.BEGIN)
        self.gaps.reach("before append")
        await super()._commit(run_id, records)  # type: ignore[safe-super]
        self.gaps.reach("after append")
        self.gaps.mark(marks.END)


class _GapPostgresLog(_GapLog, PostgresEventLog):
    pass


class _GapFileLog(_GapLog, FileEventLog):
    pass


def open_log(home: Home, gaps: Gaps | None = None) -> EventLog:
    """The log of ``home`` for runs of installed domains; without ``gaps`` it brings no server back."""
    if home.backend == "file":
        log: _GapLog = _GapFileLog(home.folder)
    else:
        server = home.server
        database = Database(server.conninfo(user="mendel_runtime"), revive=server.ensure if gaps else None)
        log = _GapPostgresLog(database, checkpoints=home.checkpoints)
    log.gaps = gaps
    return log


class GapFabric(MemoryTaskFabric):
    """The fabric in memory, with gaps in its lanes."""

    def __init__(self, gaps: Gaps, **options: Any) -> None:
        super().__init__(**options)
        self._gaps = gaps

    @asynccontextmanager
    async def lane(self, run_id: str) -> AsyncIterator[TaskLane]:
        async with super().lane(run_id) as lane:
            _open_gaps(lane, self._gaps)
            yield lane


def _open_gaps(lane: TaskLane, gaps: Gaps) -> None:
    submit, results, acknowledge = lane.submit, lane.results, lane.acknowledge

    async def gap_submit(task: Task, *, deadline_ms: int | None = None) -> None:
        gaps.reach("submit")
        await submit(task, deadline_ms=deadline_ms)

    async def gap_results() -> Sequence[Result]:
        found = await results()
        gaps.reach("results")
        return found

    async def gap_acknowledge(task_ids: Sequence[str]) -> None:
        gaps.reach("acknowledge")
        await acknowledge(task_ids)

    lane.submit = gap_submit  # type: ignore[method-assign]
    lane.results = gap_results  # type: ignore[method-assign]
    lane.acknowledge = gap_acknowledge  # type: ignore[method-assign]

"""The event log in memory: complete, and the reference for the other implementations."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

import orjson

from mendel.adapters.memory.blobs import MemoryBlobs
from mendel.adapters.memory.checkpoints import MemoryCheckpoints
from mendel.contracts.commands import Command, NewCommand
from mendel.contracts.errors import DuplicateEventId, RunBusy, SequenceConflict
from mendel.contracts.events.run import RUN_STATUS_AFTER
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.blobs import Blobs
from mendel.ports.checkpoints import Checkpoints
from mendel.ports.event_log import Changed, EventLog, Glimpse, Guarantees
from mendel.ports.niche_runs import has_niche, is_mark
from mendel.ports.records import Record, Tip


class MemoryEventLog(EventLog):
    """Keeps runs as long as the object lives; for tests and experiments."""

    guarantees = Guarantees(durable=False, followed_across_processes=False)

    def __init__(
        self,
        *,
        blobs: Blobs | None = None,
        checkpoints: Checkpoints | None = None,
        scrubber: Scrubber | None = None,
        payloads: PayloadRegistry = PAYLOADS,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__(
            blobs=blobs or MemoryBlobs(scrubber),
            checkpoints=checkpoints or MemoryCheckpoints(),
            scrubber=scrubber,
            payloads=payloads,
            clock=clock,
        )
        self._runs: dict[str, list[Record]] = {}
        self._marks: dict[str, list[Record]] = {}
        self._ids: set[str] = set()
        self._commands: dict[str, list[Command]] = defaultdict(list)
        self._held: set[str] = set()
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)

    async def commands(self, run_id: str, after: int = 0) -> tuple[Command, ...]:
        """Return the run's commands with a position above ``after``, in order."""
        return tuple(self._commands[run_id][after:])

    async def _commit(self, run_id: str, records: Sequence[Record]) -> None:
        tip = await self._load_tip(run_id)
        if (tip.next, tip.hash) != (records[0].sequence, records[0].prev_hash):
            raise SequenceConflict(f"run {run_id} continues at sequence {tip.next}, not at {records[0].sequence}")
        ids = {record.event_id for record in records}
        if len(ids) < len(records) or not ids.isdisjoint(self._ids):
            raise DuplicateEventId("the log already contains an event id of the batch")
        self._ids |= ids
        self._runs.setdefault(run_id, []).extend(records)
        self._marks.setdefault(run_id, []).extend(each for each in records if is_mark(each.type, each.payload))
        self._wake(run_id)

    async def _load_tip(self, run_id: str) -> Tip:
        stored = self._runs.get(run_id)
        return Tip(len(stored), stored[-1].hash, stored[-1].occurred_at) if stored else Tip()

    async def _records(self, run_id: str, start: int, stop: int | None = None) -> AsyncIterator[Sequence[Record]]:
        if chunk := self._runs.get(run_id, [])[start:stop]:
            yield chunk

    async def _glimpses(self) -> AsyncIterator[Glimpse]:
        for stored in list(self._runs.values()):
            milestones = (record.type for record in reversed(stored) if record.type in RUN_STATUS_AFTER)
            yield Glimpse(stored[0], stored[-1], next(milestones, None))

    async def _niche_marks(self, niche: str) -> AsyncIterator[Sequence[Record]]:
        for marks in list(self._marks.values()):
            if marks and has_niche(marks[0], niche):
                yield list(marks)

    @asynccontextmanager
    async def _hold(self, run_id: str) -> AsyncIterator[None]:
        if run_id in self._held:
            raise RunBusy(f"run {run_id} is being conducted already")
        self._held.add(run_id)
        try:
            yield
        finally:
            self._held.discard(run_id)

    @asynccontextmanager
    async def _watch(self, run_id: str) -> AsyncIterator[Changed]:
        flag = asyncio.Event()
        self._watchers[run_id].add(flag)

        async def changed() -> None:
            await flag.wait()
            flag.clear()

        try:
            yield changed
        finally:
            self._watchers[run_id].discard(flag)

    async def _store_command(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command:
        queue = self._commands[command.run_id]
        for stored in queue:
            if stored.id == command.id:
                return stored
        fields = command.model_dump() | {"payload": orjson.loads(payload)}
        queue.append(Command(**fields, position=len(queue) + 1, issued_at=issued_at))
        self._wake(command.run_id)
        return queue[-1]

    def _wake(self, run_id: str) -> None:
        for flag in self._watchers[run_id]:
            flag.set()

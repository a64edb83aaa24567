"""From logs to read models: reads what is new, and stores what it changes with the event it was read up to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Final

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import TABLES, TableName
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import NOTHING, ReadModels, Step
from mendel.projections.tables import TableFold

AT_ONCE: Final = 500
"""So many events are stored together."""


Told = Callable[[Sequence[Event], Sequence[Step]], None]
"""Hears of events and of what they change, before that is stored."""


def _nobody(events: Sequence[Event], steps: Sequence[Step]) -> None:
    """Nobody is told."""


class Projector:
    """Brings the read models of one run up to date, and keeps them so; several may do it, and one is enough.

    ``told`` hears of what ``follow`` reads; after an outage it may hear of it again.
    """

    def __init__(self, log: EventLog, models: ReadModels, run_id: str, told: Told = _nobody) -> None:
        self._log, self._models, self._run_id = log, models, run_id
        self._told = told
        self._fold: TableFold | None = None
        self._through = NOTHING

    @property
    def through(self) -> int:
        """The last event that the read models know."""
        return self._through

    async def catch_up(self) -> int:
        """Read to the end of the log as it is now; the last event that the read models know, if there is any."""
        tip = await self._log.tip(self._run_id)
        fold = await self._ready()
        if self._through < tip.next - 1:
            async with aclosing(self._log.read(self._run_id, self._through + 1)) as events:
                await self._take(fold, events)
        return self._through

    async def follow(self, stored: Callable[[], None] = lambda: None) -> None:
        """Read on for ever; what has come while something was stored is stored together, and ``stored`` is called."""
        fold = await self._ready()
        arrived: asyncio.Queue[Event] = asyncio.Queue(AT_ONCE)
        reading = asyncio.create_task(self._read_into(arrived))
        try:
            while True:
                await self._take_batch(fold, arrived, reading)
                stored()
        finally:
            reading.cancel()
            await asyncio.wait((reading,))

    async def _read_into(self, arrived: asyncio.Queue[Event]) -> None:
        async with aclosing(self._log.follow(self._run_id, self._through + 1)) as events:
            async for event in events:
                await arrived.put(event)

    async def _take_batch(self, fold: TableFold, arrived: asyncio.Queue[Event], reading: asyncio.Task[None]) -> None:
        first = asyncio.create_task(arrived.get())
        await asyncio.wait((first, reading), return_when=asyncio.FIRST_COMPLETED)
        if not first.done():
            first.cancel()
            reading.result()
        batch = [await first]
        while not arrived.empty():
            batch.append(arrived.get_nowait())
        steps = [Step(event.sequence, fold.take(event)) for event in batch]
        self._told(batch, steps)
        await self._store(steps)

    async def _ready(self) -> TableFold:
        """The fold at the read models' watermark; rows that do not agree about it are made anew."""
        if self._fold is not None:
            return self._fold
        marks = await self._models.watermarks(self._run_id)
        if len(set(marks.values())) > 1:
            await self._models.drop(self._run_id)
            marks = dict.fromkeys(TABLES, NOTHING)
        self._through = next(iter(marks.values()))
        kept: tuple[TableName, ...] = ("runs", "candidates", "operations")
        rows = {name: await self._models.rows(self._run_id, name) for name in kept}
        self._fold = TableFold.restored(rows) if self._through > NOTHING else TableFold()
        return self._fold

    async def _take(self, fold: TableFold, events: AsyncGenerator[Event, None]) -> None:
        steps: list[Step] = []
        async for event in events:
            steps.append(Step(event.sequence, fold.take(event)))
            if len(steps) >= AT_ONCE:
                await self._store(steps)
                steps = []
        await self._store(steps)

    async def _store(self, steps: Sequence[Step]) -> None:
        """Store, or begin anew from what is stored: the fold is ahead of it by what was not."""
        if not steps:
            return
        try:
            await self._models.store(self._run_id, steps)
        except BaseException:
            self._fold = None
            raise
        self._through = steps[-1].sequence

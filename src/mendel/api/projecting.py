"""Project logs to read models: read new events, and store their changes together with the last event."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from typing import Final

from mendel.contracts.events.envelope import Event
from mendel.contracts.read_models import TABLES, Row, TableName
from mendel.contracts.step_words import NO_WORDS, Wording
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import NOTHING, ReadModels, Step
from mendel.projections.tables import TableFold

AT_ONCE: Final = 500
"""Maximum number of events per store while catching up."""


PAUSE_S: Final = 0.25
"""Time to collect more events before storing, unless a caller is waiting."""

MOST_PENDING: Final = 20_000  # bounds memory if storing is slower than reading

Told = Callable[[Event, Step], None]
"""Receives an event and its changes before they are stored."""


def _nobody(event: Event, step: Step) -> None:
    """Ignore the event."""


class Projector:
    """Brings the read models of one run up to date and keeps them so; one instance is enough, several do no harm.

    ``told`` receives what ``follow`` reads; after an outage it may receive the same events again.
    """

    def __init__(
        self, log: EventLog, models: ReadModels, run_id: str, told: Told = _nobody, wording: Wording = NO_WORDS
    ) -> None:
        self._log, self._models, self._run_id = log, models, run_id
        self._told = told
        self._wording = wording
        self._fold: TableFold | None = None
        self._through = NOTHING
        self._wanted = asyncio.Event()

    @property
    def through(self) -> int:
        """The last event that is in the read models."""
        return self._through

    async def catch_up(self) -> int:
        """Read to the present end of the log; return the last event in the read models."""
        tip = await self._log.tip(self._run_id)
        await self._look()
        if self._through < tip.next - 1:
            fold = await self._ready()
            async with aclosing(self._log.read(self._run_id, self._through + 1)) as events:
                await self._take(fold, events)
        return self._through

    async def follow(self, stored: Callable[[], None] = lambda: None) -> None:
        """Follow the log for ever; store the events of each short interval together, then call ``stored``.

        Storing single events would cost several times as much per event, and watchers receive events before they are
        stored anyway. Storing very many at once would keep a core from sending to watchers.
        """
        await self._ready()
        pending: list[Step] = []
        arrived = asyncio.Event()
        reading = asyncio.create_task(self._read_into(pending, arrived))
        try:
            while True:
                await _unless_over(reading, arrived)
                await _within(self._wanted, PAUSE_S)
                arrived.clear()
                self._wanted.clear()
                steps = pending.copy()
                pending.clear()  # before the await: the reader appends to the same list
                await self._store(steps)
                stored()
        finally:
            reading.cancel()
            await asyncio.wait((reading,))

    def hurry(self) -> None:
        """Store pending events now, because a caller is waiting."""
        self._wanted.set()

    async def _read_into(self, pending: list[Step], arrived: asyncio.Event) -> None:
        fold = await self._ready()
        async with aclosing(self._log.follow(self._run_id, self._through + 1)) as events:
            async for event in events:
                step = Step(event.sequence, fold.take(event))
                self._told(event, step)
                pending.append(step)
                arrived.set()
                while len(pending) >= MOST_PENDING:  # wait until they are stored
                    self._wanted.set()
                    await asyncio.sleep(PAUSE_S)

    async def _ready(self) -> TableFold:
        """Return the fold at the watermark of the read models."""
        if self._fold is None:
            await self._look()
            self._fold = TableFold(self._wording) if self._through == NOTHING else await self._restored()
        return self._fold

    async def _look(self) -> None:
        """Read the watermark of the rows, unless a fold exists; drop rows with inconsistent watermarks."""
        if self._fold is not None:
            return
        marks = await self._models.watermarks(self._run_id)
        if len(set(marks.values())) > 1:
            await self._models.drop(self._run_id)
            marks = dict.fromkeys(TABLES, NOTHING)
        self._through = next(iter(marks.values()))

    async def _restored(self) -> TableFold:
        kept: tuple[TableName, ...] = ("runs", "genomes", "candidates")
        rows: dict[TableName, Sequence[Row]] = {name: await self._models.rows(self._run_id, name) for name in kept}
        rows["operations"] = await self._models.in_flight(self._run_id)
        return TableFold.restored(rows, self._wording)

    async def _take(self, fold: TableFold, events: AsyncGenerator[Event, None]) -> None:
        steps: list[Step] = []
        async for event in events:
            steps.append(Step(event.sequence, fold.take(event)))
            if len(steps) >= AT_ONCE:
                await self._store(steps)
                steps = []
        await self._store(steps)

    async def _store(self, steps: Sequence[Step]) -> None:
        """Store steps; after a failure, discard the fold, because it is ahead of the stored rows."""
        if not steps:
            return
        try:
            await self._models.store(self._run_id, steps)
        except BaseException:  # cancellation, too
            self._fold = None
            raise
        self._through = steps[-1].sequence


async def _unless_over(reading: asyncio.Task[None], arrived: asyncio.Event) -> None:
    """Wait until events have arrived; raise the error that ended the reading."""
    waiting = asyncio.create_task(arrived.wait())
    try:
        await asyncio.wait((waiting, reading), return_when=asyncio.FIRST_COMPLETED)
    finally:
        waiting.cancel()
    if reading.done():
        reading.result()


async def _within(event: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()

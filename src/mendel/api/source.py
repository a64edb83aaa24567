"""The runs of one log, as the routes see them: rows that are as fresh as the log, and feeds. Writes nothing to it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from mendel.api.feeds import Feed
from mendel.contracts.errors import LogIntegrityError, RunNotFound
from mendel.contracts.log_views import RunOverview
from mendel.contracts.read_models import Row, TableName
from mendel.ports.closing import Closing
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import ReadModels

_MOST_FEEDS: Final = 64
_AT_ONCE: Final = 4


class Listed:
    """A run in a list: its row, or what the log says where no row can be made."""

    __slots__ = ("overview", "row")

    def __init__(self, overview: RunOverview, row: Row | None) -> None:
        self.overview, self.row = overview, row


class RunSource(Closing):
    """Reads runs. One for the log that is served, and one for every file that somebody has opened."""

    def __init__(self, log: EventLog, models: ReadModels) -> None:
        self.log = log
        self.models = models
        self._feeds: OrderedDict[str, Feed] = OrderedDict()

    async def feed(self, run_id: str) -> Feed:
        """The feed of a run.

        Raises:
            RunNotFound: there is no such run.
        """
        known = self._feeds.get(run_id)
        if known is None:
            if not (await self.log.tip(run_id)).next:
                raise RunNotFound(f"there is no run {run_id} in this log; GET /api/runs lists those there are")
            known = self._feeds.setdefault(run_id, Feed(self.log, self.models, run_id))
        self._feeds.move_to_end(run_id)
        self._forget_idle()
        return known

    async def fresh(self, run_id: str) -> int:
        """Bring the rows of a run up to date; the last event that they know."""
        return await (await self.feed(run_id)).fresh()

    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """A row of a run; ``fresh`` first."""
        return await self.models.row(run_id, table, key)

    async def runs(self) -> Sequence[Listed]:
        """Every run, newest first, each with a row as fresh as its log."""
        overviews = await self.log.runs()
        rows = await self.models.runs()
        stale = [run.run_id for run in overviews if _stale(run, rows.get(run.run_id))]
        if stale:
            places = asyncio.Semaphore(_AT_ONCE)
            await asyncio.gather(*(self._refresh(run_id, places) for run_id in stale))
            rows = await self.models.runs()
        return [Listed(run, rows.get(run.run_id)) for run in overviews]

    async def aclose(self) -> None:
        """End every feed."""
        feeds = list(self._feeds.values())
        self._feeds.clear()
        await asyncio.gather(*(feed.aclose() for feed in feeds))

    async def _refresh(self, run_id: str, places: asyncio.Semaphore) -> None:
        async with places:
            try:
                await self.fresh(run_id)
            except LogIntegrityError:
                return  # it is listed as damaged; the others are not to suffer from it

    def _forget_idle(self) -> None:
        for run_id in [run_id for run_id, feed in self._feeds.items() if feed.idle]:
            if len(self._feeds) <= _MOST_FEEDS:
                return
            del self._feeds[run_id]


def _stale(run: RunOverview, row: Row | None) -> bool:
    return run.damage is None and run.head is not None and (row is None or row.last < run.head.sequence)

"""The runs of one log as the routes use them: up-to-date rows, feeds, and views that are folded once per run."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from typing import Final, Generic, Protocol, TypeVar

from mendel.api.feeds import Feed
from mendel.contracts.errors import LogIntegrityError, RunNotFound
from mendel.contracts.events.envelope import Event
from mendel.contracts.log_views import RunOverview
from mendel.contracts.read_models import Row, TableName
from mendel.contracts.step_words import NO_WORDS, Wording
from mendel.ports.closing import Closing
from mendel.ports.event_log import EventLog
from mendel.ports.read_models import ReadModels
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

View = TypeVar("View")
View_co = TypeVar("View_co", covariant=True)

# Views that need a whole log: each is folded on first use, and later only continued by new events.


_MOST_RUNS: Final = 16  # folded views kept in memory
_BREATH: Final = 100
"""The number of events after which folding yields to other tasks."""
_NEAR: Final = 64
"""Events at most this far apart are read in one pass, including those in between."""


class Fold(Protocol[View_co]):
    """A projection of one run, which takes every event in order and has a view after each."""

    def take(self, event: Event) -> object:
        """Fold one event."""

    def view(self) -> View_co | None:
        """Return the view, or None before the first event."""


class Folded(Generic[View]):
    """The fold of one run through the event ``sequence``."""

    def __init__(self, fold: Fold[View]) -> None:
        self.sequence = -1
        self.head = ""
        self._fold = fold

    def take(self, event: Event) -> None:
        """Fold one event."""
        self._fold.take(event)
        self.sequence, self.head = event.sequence, event.hash

    def view(self) -> View:
        """Return the view; the run must have events."""
        found = self._fold.view()
        if found is None:
            raise RuntimeError("a run without events has no view")
        return found


class Folding(Generic[View]):
    """Caches one view of the most recently used runs, and continues it with new events."""

    def __init__(self, log: EventLog, make: Callable[[], Fold[View]]) -> None:
        self._log = log
        self._make = make
        self._known: OrderedDict[str, tuple[asyncio.Lock, Folded[View]]] = OrderedDict()

    async def of(self, run_id: str) -> Folded[View]:
        """Return the fold of a run, up to date with its log.

        Raises:
            RunNotFound: the run does not exist.
        """
        tip = await self._log.tip(run_id)
        if not tip.next:
            raise RunNotFound(f"there is no run {run_id} in this log; GET /api/runs lists all")
        lock, folded = self._known.setdefault(run_id, (asyncio.Lock(), Folded(self._make())))
        self._known.move_to_end(run_id)
        while len(self._known) > _MOST_RUNS:  # forget the least recently used
            self._known.popitem(last=False)
        async with lock:  # concurrent callers must not fold an event twice
            if folded.sequence < tip.next - 1:
                await self._read(run_id, folded, tip.next)
        return folded

    async def _read(self, run_id: str, folded: Folded[View], stop: int) -> None:
        async with aclosing(self._log.read(run_id, folded.sequence + 1)) as events:
            async for event in events:
                folded.take(event)
                if event.sequence % _BREATH == 0:
                    await asyncio.sleep(0)
                if event.sequence >= stop - 1:
                    return


async def events_at(log: EventLog, run_id: str, wanted: Iterable[int]) -> list[Event]:
    """Return the given events of a run in order, reading few others."""
    found: list[Event] = []
    for group in _groups(sorted(wanted)):
        members = frozenset(group)
        async with aclosing(log.read(run_id, group[0])) as events:
            async for event in events:
                if event.sequence in members:
                    found.append(event)
                if event.sequence >= group[-1]:
                    break
    return found


def _groups(places: list[int]) -> list[list[int]]:
    """Group neighbouring places."""
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= _NEAR:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


_MOST_FEEDS: Final = 64  # idle feeds kept
_AT_ONCE: Final = 4  # runs refreshed concurrently
_PATIENCE_S: Final = 1.0  # wait before listing stale rows


class Listed:
    """A run in a list: its row, or only the log's overview if its rows cannot be made."""

    __slots__ = ("overview", "row")

    def __init__(self, overview: RunOverview, row: Row | None) -> None:
        self.overview, self.row = overview, row


class RunSource(Closing):
    """Reads runs; there is one instance for the served log, and one for each opened file."""

    def __init__(self, log: EventLog, models: ReadModels, wording: Wording = NO_WORDS) -> None:
        self.log = log
        self.models = models
        self.wording = wording
        self.lineages = Folding(log, lambda: LineageFold(wording))
        self.replays = Folding(log, ReplaySummaryFold)
        self._feeds: OrderedDict[str, Feed] = OrderedDict()
        self._refreshed: dict[str, asyncio.Task[None]] = {}
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def feed(self, run_id: str) -> Feed:
        """Return the feed of a run.

        Raises:
            RunNotFound: the run does not exist.
        """
        known = self._feeds.get(run_id)
        if known is None:
            if not (await self.log.tip(run_id)).next:
                raise RunNotFound(f"there is no run {run_id} in this log; GET /api/runs lists all")
            # setdefault: another request may have made the feed during the await.
            known = self._feeds.setdefault(run_id, Feed(self.log, self.models, run_id, self.wording))
        self._feeds.move_to_end(run_id)
        self._forget_idle()
        return known

    async def fresh(self, run_id: str) -> int:
        """Bring the rows of a run up to date; return their last event."""
        return await (await self.feed(run_id)).fresh()

    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """Return a row of a run as stored; call ``fresh`` first."""
        return await self.models.row(run_id, table, key)

    async def runs(self) -> Sequence[Listed]:
        """Return every run with its row, newest first; rows that take long to refresh are returned as stored."""
        overviews = await self.log.runs()
        rows = await self.models.runs()
        stale = [run.run_id for run in overviews if _stale(run, rows.get(run.run_id))]
        if stale:
            await asyncio.wait([self._refreshing(run_id) for run_id in stale], timeout=_PATIENCE_S)  # tasks continue
            rows = await self.models.runs()
        return [Listed(run, rows.get(run.run_id)) for run in overviews]

    @property
    def watchers(self) -> int:
        """The number of open streams on all runs."""
        return sum(feed.watchers for feed in self._feeds.values())

    @property
    def followed(self) -> int:
        """The number of followed runs."""
        return sum(not feed.idle for feed in self._feeds.values())

    async def aclose(self) -> None:
        """End every feed."""
        for task in list(self._refreshed.values()):
            task.cancel()
        feeds = list(self._feeds.values())
        self._feeds.clear()
        await asyncio.gather(*(feed.aclose() for feed in feeds))

    def _refreshing(self, run_id: str) -> asyncio.Task[None]:
        """Return the single task that brings the rows of the run up to date."""
        known = self._refreshed.get(run_id)
        if known is None:
            known = asyncio.create_task(self._refresh(run_id))
            self._refreshed[run_id] = known
            known.add_done_callback(lambda _: self._refreshed.pop(run_id, None))
        return known

    async def _refresh(self, run_id: str) -> None:
        async with self._places:
            try:
                await self.fresh(run_id)
            except LogIntegrityError:
                return  # the run is listed as damaged; other runs are unaffected

    def _forget_idle(self) -> None:
        for run_id in [run_id for run_id, feed in self._feeds.items() if feed.idle]:
            if len(self._feeds) <= _MOST_FEEDS:
                return
            del self._feeds[run_id]


def _stale(run: RunOverview, row: Row | None) -> bool:
    return run.damage is None and run.head is not None and (row is None or row.last < run.head.sequence)

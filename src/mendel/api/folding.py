"""Views that need a whole log: folded once for each run, and from then on only by what is new."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import aclosing
from typing import Final

from mendel.contracts.errors import RunNotFound
from mendel.contracts.events.envelope import Event
from mendel.contracts.step_words import NO_WORDS, Wording
from mendel.ports.event_log import EventLog
from mendel.projections.lineage import LineageFold
from mendel.projections.replay_summary import ReplaySummaryFold

_MOST_RUNS: Final = 16
_BREATH: Final = 100
"""After so many events others have their turn."""
_NEAR: Final = 64
"""Events that are no further apart than this are read in one go, with those between them."""


class Folded:
    """What is folded of one run, through the event ``sequence``."""

    def __init__(self, wording: Wording) -> None:
        self.sequence = -1
        self.head: str | None = None
        self.lineage = LineageFold(wording)
        self.replay = ReplaySummaryFold()

    def take(self, event: Event) -> None:
        """Fold one event."""
        for fold in (self.lineage, self.replay):
            fold.take(event)
        self.sequence, self.head = event.sequence, event.hash


class Folding:
    """Keeps the folds of the runs that were looked at last."""

    def __init__(self, log: EventLog, wording: Wording = NO_WORDS) -> None:
        self._log = log
        self._wording = wording
        self._known: OrderedDict[str, tuple[asyncio.Lock, Folded]] = OrderedDict()

    async def of(self, run_id: str) -> Folded:
        """The folds of a run, with everything that stands in its log now.

        Raises:
            RunNotFound: there is no such run.
        """
        tip = await self._log.tip(run_id)
        if not tip.next:
            raise RunNotFound(f"there is no run {run_id} in this log; GET /api/runs lists those there are")
        lock, folded = self._known.setdefault(run_id, (asyncio.Lock(), Folded(self._wording)))
        self._known.move_to_end(run_id)
        while len(self._known) > _MOST_RUNS:
            self._known.popitem(last=False)
        async with lock:
            if folded.sequence < tip.next - 1:
                await self._read(run_id, folded, tip.next)
        return folded

    async def _read(self, run_id: str, folded: Folded, stop: int) -> None:
        async with aclosing(self._log.read(run_id, folded.sequence + 1)) as events:
            async for event in events:
                folded.take(event)
                if event.sequence % _BREATH == 0:
                    await asyncio.sleep(0)
                if event.sequence >= stop - 1:
                    return


async def events_at(log: EventLog, run_id: str, wanted: Iterable[int]) -> list[Event]:
    """Those events of a run, in order; little else is read."""
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
    """Places that are near each other, together."""
    groups: list[list[int]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= _NEAR:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups

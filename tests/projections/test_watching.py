"""What a terminal shows of a run are the figures of its rows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.api.reading import HISTORIES, golden_log

from mendel.cli.live import RunPicture
from mendel.contracts.events.candidate import FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.projections.health import LAST_SCORES, WatchFold


def reigning(events: Sequence[Event]) -> str | None:
    """Who is champion after these events."""
    champion = None
    for event in events:
        match event.payload:
            case AdoptionMade(candidate_id=champion) | AdoptionRevoked(restores=champion):
                pass
    return champion


@pytest.mark.parametrize("name", HISTORIES)
async def test_best_mean_and_champion_are_what_the_events_say(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    fold, events = WatchFold(), [event async for event in log.read(runs[name])]
    for event in events:
        fold.take(event)
    totals = [event.payload.score.total for event in events if isinstance(event.payload, FitnessScored)]
    last = totals[-LAST_SCORES:]
    assert fold.scored == len(totals)
    assert fold.best is not None
    assert fold.best[0] == max(totals)
    assert fold.mean == pytest.approx(sum(last) / len(last))
    assert fold.champion == reigning(events)


def test_before_the_first_event_there_is_nothing():
    fold = WatchFold()
    assert (fold.scored, fold.best, fold.mean, fold.champion) == (0, None, None, None)


@pytest.mark.parametrize("name", HISTORIES)
async def test_nothing_is_left_of_the_time_of_a_run_that_is_over(tmp_path, name):
    log, runs = await golden_log(tmp_path, name)
    picture = RunPicture()
    async for event in log.read(runs[name]):
        picture.run.take(event)
    assert picture.over
    assert picture.left().startswith("lasted ")
    assert "/s)" not in picture.line()

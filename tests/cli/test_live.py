"""The picture of a run: how long it may still take, and what it is at."""

from __future__ import annotations

import asyncio
from io import StringIO

import pytest
from rich.console import Console
from tests.projections.histories import RUN_ID, History

from mendel.cli import live
from mendel.cli.live import RunPicture
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.run_config import StopConditions


class Watch:
    """A clock that is moved by hand."""

    def __init__(self, monkeypatch):
        self.now = 1_000.0
        monkeypatch.setattr(live.time, "monotonic", lambda: self.now)


@pytest.fixture
def watch(monkeypatch):
    return Watch(monkeypatch)


def history(stop_s: float | None, hours: int = 1) -> History:
    """A run of an hour at most that was just configured; who took it over is not heard by those who listen."""
    found = History().configured(wall_clock_ms=hours * 3_600_000, max_candidates=30)
    if stop_s is not None:
        configured = found.events[0].payload
        assert isinstance(configured, RunConfigured)
        config = configured.config.model_copy(update={"stop": StopConditions(seconds=stop_s)})
        found.events[0] = found.events[0].model_copy(
            update={"payload": configured.model_copy(update={"config": config})}
        )
    return found


def drawn(found: History, *, live_from: int = 0) -> RunPicture:
    picture = RunPicture()
    for place, event in enumerate(found.events):
        if place == live_from:
            picture.begins()
        picture.run.take(event)
    return picture


def test_the_time_left_runs_down_while_nothing_happens(watch):
    picture = drawn(history(None))
    assert picture.left() == "1 h 0 min left"
    watch.now += 3_000
    assert picture.left() == "10 min 0 s left"


def test_where_time_is_no_bound_candidates_are_counted(watch):
    assert drawn(history(None, hours=24)).left() == "0 of 30 candidates"


def test_a_run_with_a_stop_tells_how_long_it_breeds_and_then_that_it_judges(watch):
    picture = drawn(history(40))
    assert picture.left() == "40 s left to breed"
    watch.now += 35
    assert "5 s left to breed" in picture.line()
    watch.now += 10
    assert picture.left() == "breeding done, judging the last candidates"


def test_what_an_earlier_conductor_took_counts(watch):
    found = history(40).taken_over("host:1").wait(25_000).operation(1)
    picture = drawn(found.taken_over("host:2").operation(2), live_from=4)
    assert picture.left() == "14 s left to breed"


def test_the_line_names_what_is_in_flight(watch):
    line = drawn(history(None).taken_over().operation(1).operation(2, step="sample.judge")).line()
    assert RUN_ID[-12:] in line
    assert "in flight: sample.look x1, sample.judge x1" in line


class Standing:
    """A run that changes three times, and then goes on unchanged."""

    over = False

    def __init__(self):
        self.asked = 0
        self.enough = asyncio.Event()

    def standing(self):
        self.asked += 1
        if self.asked >= 50:
            self.enough.set()
        return min(self.asked, 4)

    def line(self):
        return f"line {min(self.asked, 4)}"


async def test_a_line_is_told_again_only_where_something_changed(monkeypatch):
    monkeypatch.setattr(live, "LINE_S", 0)
    console, run = Console(file=StringIO(), force_terminal=False), Standing()
    async with live.shown_live(console, {"run": run}):
        await run.enough.wait()
    assert console.file.getvalue().splitlines() == ["line 1", "line 2", "line 3", "line 4"]

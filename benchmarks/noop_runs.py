"""Runs of the no-op domain, conducted like any other, to measure the kernel's own time."""

from __future__ import annotations

import gc
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, NamedTuple

from tests.plugins import installed_plugins

from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.contracts.caps import RunCaps
from mendel.contracts.events.envelope import Event
from mendel.contracts.run_config import Pace, RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.kernel.beginning import configure
from mendel.kernel.conduct import conduct
from mendel.kernel.conductor import Options
from mendel.ports.event_log import EventLog
from mendel.wiring import calm_collector

Order = Literal["arrival", "birth"]

POPULATION: Final = 200
WINDOW: Final = 64
SLOTS: Final = 64

_PLENTY: Final = 2**50
_OLDEST: Final = 2
_PATIENCE_S: Final = 600.0
"""On a busy machine a full garbage collection of a long run takes longer than the default limit for a domain."""
_A_MONTH_MS: Final = 30 * 24 * 3_600_000


@contextmanager
def noop_domain() -> Iterator[Path]:
    """Install the package with the domain into a temporary folder; yields that folder for other files."""
    with tempfile.TemporaryDirectory(prefix="mendel-bench-noop-") as folder, installed_plugins(Path(folder) / "site"):
        yield Path(folder)


def noop_config(candidates: int, seed: int, order: Order = "arrival", slots: int = SLOTS) -> RunConfig:
    """Return a steady run in which only ``max_candidates`` is ever reached.

    Every run of a process gets another ``seed``: ids are derived from it, and cached for a while.
    """
    caps = RunCaps(
        max_population=POPULATION,
        max_generations=_PLENTY,
        max_candidates=candidates,
        energy_budget=_PLENTY,
        max_spawn_depth=_PLENTY,
        max_tool_calls=_PLENTY,
        max_tokens=_PLENTY,
        max_cost_microusd=_PLENTY,
        wall_clock_ms=_A_MONTH_MS,
    )
    pace = Pace(kind="steady", order=order, window=WINDOW)
    return RunConfig(domain="noop", problem="nothing at all", rng_seed=seed, caps=caps, pace=pace, slots=slots)


class Point(NamedTuple):
    """The number of candidates scored at a time, with the processor time of this process until then."""

    scored: int
    at: float
    cpu_s: float


class Course:
    """The number of scored candidates of a run over time.

    Candidates recorded in one batch were scored at the same time, so a point stands for a batch. Times between batches
    are interpolated, so that it does not matter whether a batch ends before or after a thousand.
    """

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.events = 0
        self._batch: datetime | None = None

    def listen(self, event: Event) -> None:
        """Count ``event``; events of one batch were recorded at the same time."""
        self.events += 1
        if event.type != "fitness.scored":
            return
        point = Point(self.scored + 1, time.perf_counter(), time.process_time())
        if event.occurred_at == self._batch:
            self.points[-1] = point
        else:
            self.points.append(point)
            self._batch = event.occurred_at

    @property
    def scored(self) -> int:
        """Return how many were scored so far."""
        return self.points[-1].scored if self.points else 0

    def rate(self, first: int, last: int) -> float:
        """Return candidates per second from ``first`` to ``last``."""
        return (last - first) / (self._moment(last).at - self._moment(first).at)

    def cpu_rate(self, first: int, last: int) -> float:
        """Like ``rate``, per second of this process's processor time, which is less sensitive to other load."""
        return (last - first) / (self._moment(last).cpu_s - self._moment(first).cpu_s)

    def curve(self, step: int) -> list[float]:
        """Return the rate of every ``step`` candidates; the first ones from the first batch on."""
        edges = [self.points[0].scored, *range(step, self.scored + 1, step)]
        return [round(self.rate(first, last), 1) for first, last in pairwise(edges)]

    def _moment(self, count: int) -> Point:
        place = bisect_left(self.points, count, key=lambda point: point.scored)
        after = self.points[place]
        before = self.points[max(place - 1, 0)]
        if after.scored == before.scored:
            return after
        share = (count - before.scored) / (after.scored - before.scored)
        return Point(count, _between(before.at, after.at, share), _between(before.cpu_s, after.cpu_s, share))


def _between(low: float, high: float, share: float) -> float:
    return low + (high - low) * share


class Conducted(NamedTuple):
    """A finished run."""

    run_id: str
    course: Course
    wall_s: float
    cpu_s: float
    gc_s: float
    full_collections: int

    @property
    def events_per_candidate(self) -> float:
        """Return the number of events per candidate from its birth to its score, all included."""
        return self.course.events / self.course.scored


async def conducted(log: EventLog, config: RunConfig) -> Conducted:
    """Conduct a run to its end, with the collector as set by `mendel run`; only the times of its scores are kept."""
    run_id = await configure(log, config, config.caps)
    fabric = MemoryTaskFabric(workers=0)
    course, collections = Course(), Collections()
    gc.collect()
    try:
        with calm_collector(), collections.counted():
            began, cpu_began = time.perf_counter(), time.process_time()
            options = Options(listen=course.listen, domain_patience_s=_PATIENCE_S)
            state = await conduct(run_id, log=log, fabric=fabric, clock=SystemClock(), options=options)
            wall_s, cpu_s = time.perf_counter() - began, time.process_time() - cpu_began
    finally:
        await fabric.close()
    if state.status is not RunStatus.COMPLETED or state.scored != config.caps.max_candidates:
        raise AssertionError(f"the run is {state.status} ({state.ending}) with {state.scored} scored candidates")
    return Conducted(run_id, course, wall_s, cpu_s, collections.seconds, collections.full)


class Collections:
    """The duration of Python's garbage collections, and the number of full ones."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.full = 0
        self._began = 0.0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count collections within the context."""
        gc.callbacks.append(self._seen)
        try:
            yield
        finally:
            gc.callbacks.remove(self._seen)

    def _seen(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
            return
        self.seconds += time.perf_counter() - self._began
        self.full += info["generation"] == _OLDEST


def rounded(values: Sequence[float], digits: int = 3) -> list[float]:
    """Return ``values`` as they are reported."""
    return [round(value, digits) for value in values]

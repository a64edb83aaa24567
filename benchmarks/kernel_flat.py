"""``kernel_flat``: whether a run keeps its initial speed, and how much of the log's speed remains with the kernel.

A steady run of a domain with handlers that return immediately, on the PostgreSQL log. It has 64 slots and a window of
64, as with many workers, so that the benchmark measures the kernel's work rather than the latency of one commit per
candidate; ``raw.by_slots`` has fewer slots. The population is 200: 136 parents in addition to the 64 births in flight,
so that the least fit are culled continuously, and a generation ends every 200 births. Only the cap ``max_candidates``
is ever reached.

The bound is the rate of ``RunWriter.append`` for events of the same run, including payloads, in batches of 100 with two
in flight, on the same server, immediately before and after the run.

Figures use the wall clock. ``raw`` also has both by processor time of this process, which is less sensitive to other
load but excludes PostgreSQL.
"""

from __future__ import annotations

import asyncio
import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import machine, servers
from benchmarks.noop_runs import (
    POPULATION,
    SLOTS,
    WINDOW,
    Conducted,
    Order,
    conducted,
    noop_config,
    noop_domain,
    rounded,
)
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.conformance.samples import new_run
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.ports.event_log import EventLog, RunWriter

BATCH: Final = 100
IN_FLIGHT: Final = 2
FEWER_SLOTS: Final = (2, 8)

_DATABASE: Final = "kernel"

Span = tuple[int, int]


class Sizes(NamedTuple):
    """The amount of work; spans count candidates."""

    candidates: int
    rounds: int
    early: Span
    late: Span
    whole: Span
    step: int
    bound_events: int
    bound_repeats: int
    few_slots_candidates: int


FULL: Final = Sizes(
    candidates=10_000,
    rounds=5,
    early=(100, 1_000),
    late=(9_000, 10_000),
    whole=(1_000, 10_000),
    step=1_000,
    bound_events=20_000,
    bound_repeats=3,
    few_slots_candidates=1_000,
)
QUICK: Final = Sizes(
    candidates=2_000,
    rounds=5,
    early=(100, 500),
    late=(1_500, 2_000),
    whole=(500, 2_000),
    step=200,
    bound_events=10_000,
    bound_repeats=3,
    few_slots_candidates=300,
)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    with noop_domain() as folder, servers.bench_server() as server:
        admin = server.new_database(_DATABASE)
        surroundings = {"machine": machine.description(admin), "unit": machine.unit(admin)}
        async with _open_log(server, folder / "checkpoints") as log:
            bench = _Bench(log, sizes, progress)
            await bench.warm_up()
            for number in range(sizes.rounds):
                await bench.round("arrival", f"round {number + 1} of {sizes.rounds}")
            await bench.round("birth", "birth order")
            for slots in FEWER_SLOTS:
                await bench.few(slots)
    return _report(bench, surroundings)


def _open_log(server: servers.BenchServer, checkpoints: Path) -> PostgresEventLog:
    """Open the log like the command line, with the payloads that domains register."""
    return PostgresEventLog(Database(server.runtime_conninfo(_DATABASE)), checkpoints=FileCheckpoints(checkpoints))


# --- one round -------------------------------------------------------------------------------------------------


class Appended(NamedTuple):
    """A rate of events appended through the log alone."""

    events: int
    wall_s: float
    cpu_s: float


class Round(NamedTuple):
    """A run between two measurements of the log's own speed."""

    ran: Conducted
    before: list[Appended]
    after: list[Appended]

    def flatness(self, sizes: Sizes) -> float:
        """Return the later rate, divided by the earlier."""
        return self.ran.course.rate(*sizes.late) / self.ran.course.rate(*sizes.early)

    def cpu_flatness(self, sizes: Sizes) -> float:
        """Return the same by processor time."""
        return self.ran.course.cpu_rate(*sizes.late) / self.ran.course.cpu_rate(*sizes.early)

    def to_bound(self, sizes: Sizes) -> float:
        """Return the kernel's rate, divided by that of the log for the same number of events."""
        bound = _mean(self.before + self.after, lambda each: each.events / each.wall_s)
        return self.ran.course.rate(*sizes.whole) / (bound / self.ran.events_per_candidate)

    def cpu_to_bound(self, sizes: Sizes) -> float:
        """Return the same by processor time."""
        bound = _mean(self.before + self.after, lambda each: each.events / each.cpu_s)
        return self.ran.course.cpu_rate(*sizes.whole) / (bound / self.ran.events_per_candidate)


def _mean(samples: Sequence[Appended], rate: Callable[[Appended], float]) -> float:
    return statistics.fmean(map(rate, samples))


class _Bench:
    """Conducts runs, in turn with appends of the previous run's events."""

    def __init__(self, log: EventLog, sizes: Sizes, progress: Progress) -> None:
        self._log = log
        self.sizes = sizes
        self._progress = progress
        self._seed = 0
        self._recorded = ""
        self.rounds: dict[Order, list[Round]] = {"arrival": [], "birth": []}
        self.by_slots: dict[int, Conducted] = {}
        self.event_bytes = 0.0

    async def warm_up(self) -> None:
        """Warm up with a run, for caches, prepared statements, and the first events to append."""
        self._progress.say("warming up")
        await self._conduct(self.sizes.candidates // 5, "arrival")
        self.event_bytes = await _mean_bytes(self._log, self._recorded)

    async def round(self, order: Order, label: str) -> None:
        """Measure the bound, a run, and the bound again."""
        self._progress.say(f"{label}: the log alone")
        before = await self._bound()
        self._progress.say(f"{label}: {self.sizes.candidates:,} candidates, in order of {order}")
        ran = await self._conduct(self.sizes.candidates, order)
        self._progress.say(f"{label}: the log alone again")
        self.rounds[order].append(Round(ran, before, await self._bound()))

    async def few(self, slots: int) -> None:
        """Conduct a short run with few slots."""
        self._progress.say(f"{slots} slots: {self.sizes.few_slots_candidates:,} candidates")
        self.by_slots[slots] = await self._conduct(self.sizes.few_slots_candidates, "arrival", slots)

    async def _conduct(self, candidates: int, order: Order, slots: int = SLOTS) -> Conducted:
        self._seed += 1  # the same seed would give the same ids, some of them still cached
        ran = await conducted(self._log, noop_config(candidates, self._seed, order, slots))
        self._recorded = ran.run_id
        return ran

    async def _bound(self) -> list[Appended]:
        """Measure how fast the log alone accepts events of the latest run, each time into a fresh one."""
        samples = []
        for _ in range(self.sizes.bound_repeats):
            drafts = await _drafts(self._log, self._recorded, self.sizes.bound_events)
            async with self._log.conduct(await new_run(self._log), conductor="benchmark") as writer:
                samples.append(await _append(writer, drafts))
        return samples


async def _drafts(log: EventLog, run_id: str, count: int) -> list[EventDraft]:
    """Return drafts of the run's events after its first ones, as a caller would submit them."""
    skipped = count // 10  # the beginning of a run has another mix of events
    drafts: list[EventDraft] = []
    async for event in log.read(run_id, skipped):
        drafts.append(_draft(event))
        if len(drafts) == count:
            break
    return drafts


def _draft(event: Event) -> EventDraft:
    return EventDraft.of(
        event.payload,
        actor=event.actor,
        generation_id=event.generation_id,
        genome_id=event.genome_id,
        candidate_id=event.candidate_id,
        operation_id=event.operation_id,
        correlation_id=event.correlation_id,
    )


async def _append(writer: RunWriter, drafts: Sequence[EventDraft]) -> Appended:
    """Measure from the first ``append`` to the last durable batch."""
    waiting = iter([drafts[first : first + BATCH] for first in range(0, len(drafts), BATCH)])
    gc.collect()  # collect the drafts' garbage now, not inside the measurement
    began, cpu_began = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_append_all(writer, waiting) for _ in range(IN_FLIGHT)))
    return Appended(len(drafts), time.perf_counter() - began, time.process_time() - cpu_began)


async def _append_all(writer: RunWriter, waiting: Iterator[Sequence[EventDraft]]) -> None:
    for batch in waiting:
        await writer.append(batch)


async def _mean_bytes(log: EventLog, run_id: str) -> float:
    """Return the average number of canonical bytes per payload."""
    lengths = [len(record.payload) async for chunk in log.records(run_id) for record in chunk]
    return statistics.fmean(lengths)


# --- figures ---------------------------------------------------------------------------------------------------


def _report(bench: _Bench, surroundings: dict[str, object]) -> Report:
    sizes, counted = bench.sizes, bench.rounds["arrival"]
    figures = {
        "flatness": Figure(statistics.median(each.flatness(sizes) for each in counted), ">= 0.9"),
        "to_log_bound": Figure(statistics.median(each.to_bound(sizes) for each in counted), ">= 0.25"),
    }
    raw = surroundings | {
        "sizes": {**sizes._asdict(), "batch": BATCH, "in_flight": IN_FLIGHT},
        "config": {"max_population": POPULATION, "window": WINDOW, "slots": SLOTS},
        "summary": _summary(bench),
        "rounds": {order: [_told(each, sizes) for each in found] for order, found in bench.rounds.items()},
    }
    return Report("kernel_flat", figures, raw)


def _summary(bench: _Bench) -> dict[str, object]:
    sizes = bench.sizes
    return {
        order: {
            "flatness": rounded([each.flatness(sizes) for each in found]),
            "flatness_by_processor_time": rounded([each.cpu_flatness(sizes) for each in found]),
            "to_log_bound": rounded([each.to_bound(sizes) for each in found]),
            "to_log_bound_by_processor_time": rounded([each.cpu_to_bound(sizes) for each in found]),
            "candidates_s": rounded([each.ran.course.rate(*sizes.whole) for each in found], 1),
            "events_per_candidate": rounded([each.ran.events_per_candidate for each in found]),
        }
        for order, found in bench.rounds.items()
    } | {
        "payload_bytes_per_event": round(bench.event_bytes, 1),
        "by_slots": {slots: _rates(ran) for slots, ran in bench.by_slots.items()},
    }


def _told(found: Round, sizes: Sizes) -> dict[str, object]:
    return {
        "bound_before_events_s": _told_bound(found.before),
        "bound_after_events_s": _told_bound(found.after),
        "candidates_s_each": {"candidates": sizes.step, "rates": found.ran.course.curve(sizes.step)},
        "early_candidates_s": round(found.ran.course.rate(*sizes.early), 1),
        "late_candidates_s": round(found.ran.course.rate(*sizes.late), 1),
        **_rates(found.ran),
    }


def _told_bound(samples: Sequence[Appended]) -> dict[str, list[float]]:
    return {
        "by_wall_clock": rounded([each.events / each.wall_s for each in samples], 1),
        "by_processor_time": rounded([each.events / each.cpu_s for each in samples], 1),
    }


def _rates(ran: Conducted) -> dict[str, float]:
    """Return the figures of the whole run, including its beginning and end."""
    return {
        "candidates_s": round(ran.course.scored / ran.wall_s, 1),
        "events_s": round(ran.course.events / ran.wall_s),
        "wall_s": round(ran.wall_s, 2),
        "cpu_s": round(ran.cpu_s, 2),
        "garbage_collection_s": round(ran.gc_s, 2),
        "full_collections": ran.full_collections,
    }

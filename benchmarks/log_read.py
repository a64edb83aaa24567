"""``log_read``: whether reading and verifying keep their speed per event in a run of a million events."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import psycopg

from benchmarks import events, machine, servers
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.conformance.samples import sample_payloads
from mendel.contracts.ids import new_run_id
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.records import Sealer, Tip, chain
from mendel.ports.verification import verify

_DATABASE: Final = "reading"
_BATCH: Final = 2_000


class Sizes(NamedTuple):
    """The amount of work: events in the two runs, and how often each is read."""

    small: int
    large: int
    rounds: int
    small_repeats: int


FULL: Final = Sizes(small=10_000, large=1_000_000, rounds=3, small_repeats=5)
QUICK: Final = Sizes(small=10_000, large=100_000, rounds=3, small_repeats=3)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    with servers.bench_server() as server:
        admin = server.new_database(_DATABASE)
        surroundings = {"machine": machine.description(admin), "unit": machine.unit(admin)}
        async with server.open_log(_DATABASE) as log:
            filler = _Filler(log, progress)
            runs = {"small": await filler.fill(sizes.small), "large": await filler.fill(sizes.large)}
            _settle(admin, progress)
            reader = _Reader(log, runs, progress)
            await reader.warm_up()
            for number in range(sizes.rounds):
                await reader.round(f"round {number + 1} of {sizes.rounds}", sizes.small_repeats)
    return _report(reader, sizes, surroundings)


# --- filling ---------------------------------------------------------------------------------------------------


class _Filler:
    """Stores runs of any length quickly: sealed and chained as by ``append``, imported in large batches."""

    def __init__(self, log: PostgresEventLog, progress: Progress) -> None:
        self._log = log
        self._progress = progress
        self._sealer = Sealer(Scrubber(), sample_payloads())

    async def fill(self, count: int) -> str:
        """Store a run of ``count`` events and return its id."""
        run_id, tip = str(new_run_id()), Tip()
        for first in range(0, count, _BATCH):
            if first % (_BATCH * 25) == 0:
                self._progress.say(f"filling: {first:,} of {count:,} events")
            drafts = events.drafts(min(_BATCH, count - first), events.SMALL, first)
            sealed = [self._sealer.seal(draft) for draft in drafts]
            records, tip = chain(run_id, sealed, tip, utc_now())
            await self._log.import_records(run_id, records)
        return run_id


def _settle(admin: str, progress: Progress) -> None:
    """Complete the server's background work, so that none remains during the measurement."""
    progress.say("vacuuming and writing the filled tables to disk")
    with psycopg.connect(admin, autocommit=True) as conn:
        conn.execute("VACUUM (ANALYZE) mendel.run_events")  # otherwise autovacuum starts at a random time
        conn.execute("CHECKPOINT")


# --- reading ---------------------------------------------------------------------------------------------------


async def _verify(log: PostgresEventLog, run_id: str) -> int:
    report = await verify(log, run_id)
    if not report.ok:
        raise AssertionError(f"the log that was just written does not verify: {report.problem}")
    return report.events


async def _read(log: PostgresEventLog, run_id: str) -> int:
    count = 0
    async for _ in log.read(run_id):
        count += 1
    return count


_WAYS: Final[dict[str, Callable[[PostgresEventLog, str], Awaitable[int]]]] = {"verify": _verify, "read": _read}


class _Reader:
    """Reads the two runs in turn: the small one before and after the large one, so that both see the same noise."""

    def __init__(self, log: PostgresEventLog, runs: dict[str, str], progress: Progress) -> None:
        self._log = log
        self._runs = runs
        self._progress = progress
        self.samples: dict[str, dict[str, list[float]]] = {way: {"small": [], "large": []} for way in _WAYS}
        self.growths: dict[str, list[float]] = {way: [] for way in _WAYS}
        self.peak_rss_mb: dict[str, float] = {}

    async def warm_up(self) -> None:
        """Read everything once to warm the caches of the server and the system."""
        self._progress.say("warming up")
        for run_id in self._runs.values():
            await _read(self._log, run_id)

    async def round(self, label: str, small_repeats: int) -> None:
        """Take one sample of the large run by each method, between ``2 * small_repeats`` of the small one."""
        for way in _WAYS:
            self._progress.say(f"{label}: {way}")
            small = [await self._sample(way, "small") for _ in range(small_repeats)]
            large = await self._sample(way, "large")
            small += [await self._sample(way, "small") for _ in range(small_repeats)]
            self.growths[way].append(round(large / statistics.median(small), 4))

    async def _sample(self, way: str, which: str) -> float:
        """Return microseconds per event."""
        gc.collect()
        machine.reset_peak_rss()
        began = time.perf_counter()
        count = await _WAYS[way](self._log, self._runs[which])
        taken = round((time.perf_counter() - began) / count * 1e6, 3)
        self.samples[way][which].append(taken)
        self.peak_rss_mb[which] = max(self.peak_rss_mb.get(which, 0.0), machine.peak_rss_mb())
        return taken


# --- figures ---------------------------------------------------------------------------------------------------


def _report(reader: _Reader, sizes: Sizes, surroundings: dict[str, object]) -> Report:
    growth = {way: statistics.median(found) for way, found in reader.growths.items()}
    each = {
        way: {which: statistics.median(taken) for which, taken in found.items()}
        for way, found in reader.samples.items()
    }
    summary = {
        "growth": growth,
        "us_per_event": each,
        "events_s": {way: {which: round(1e6 / us) for which, us in found.items()} for way, found in each.items()},
        "peak_rss_mb": reader.peak_rss_mb,
    }
    raw = surroundings | {
        "sizes": {"payload_bytes": events.SMALL, **sizes._asdict()},
        "summary": summary,
        "samples_us_per_event": reader.samples,
        "samples_growth": reader.growths,
    }
    return Report("log_read", {"growth": Figure(max(growth.values()), "<= 1.3")}, raw)

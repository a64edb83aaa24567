"""``log_append``: how fast events go through the whole boundary, against the bare table and against a peer."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks import events, machine, rounds, servers, throwaway
from benchmarks.progress import Progress
from benchmarks.report import Figure, Report
from benchmarks.rounds import Contender, Sample
from mendel.conformance.samples import new_run, sample_payloads
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.ids import new_run_id
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.event_log import RunWriter
from mendel.ports.records import Record, Tip
from mendel.ports.sealing import Sealer, chain

BATCH: Final = 100
IN_FLIGHT: Final = 8
PEER: Final = "eventsourcing[postgres]==9.5.6"
RECORDERS: Final = ("application", "application_functions", "aggregate")


class Sizes(NamedTuple):
    """How much is measured."""

    rounds: int
    batches_small: int
    batches_large: int
    singles: int

    def batches(self, size: int) -> int:
        """How many batches of 100 events of ``size`` bytes make one sample."""
        return self.batches_small if size == events.SMALL else self.batches_large


FULL: Final = Sizes(rounds=15, batches_small=60, batches_large=24, singles=500)
QUICK: Final = Sizes(rounds=5, batches_small=24, batches_large=12, singles=200)


async def run(progress: Progress, *, quick: bool) -> Report:
    """Measure everything once."""
    sizes = QUICK if quick else FULL
    with servers.bench_server() as server, _peer(server, progress) as peer:
        admin = server.new_database("unit", empty=True)
        unit = machine.unit(admin)
        bare = {size: await _against_bare(server, size, sizes, progress) for size in (events.SMALL, events.LARGE)}
        peers = await _against_peer(server, peer, sizes, progress)
        return _report(bare, peers, sizes, {"machine": machine.description(admin), "unit": unit})


# --- ours ------------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _writer(server: servers.BenchServer, database: str) -> AsyncIterator[RunWriter]:
    """The conductor of a fresh run in a fresh database."""
    server.new_database(database)
    async with server.open_log(database) as log:
        run_id = await new_run(log)
        async with log.conduct(run_id, conductor="benchmark") as writer:
            yield writer


class _Ours:
    """Appends through ``RunWriter`` with so many batches in flight."""

    def __init__(self, writer: RunWriter, size: int, batches: int, *, length: int = BATCH, in_flight: int = 1) -> None:
        self._writer = writer
        self._build = partial(events.batches, batches, length, size)
        self._in_flight = in_flight

    async def __call__(self) -> Sample:
        """From the first ``append`` to the last batch that is durable; the drafts are built before."""
        batches = self._build()
        waiting = iter(batches)
        gc.collect()
        began = time.perf_counter()
        await asyncio.gather(*(self._append_all(waiting) for _ in range(self._in_flight)))
        return Sample(sum(map(len, batches)), time.perf_counter() - began)

    async def _append_all(self, waiting: Iterator[Sequence[EventDraft]]) -> None:
        for batch in waiting:
            await self._writer.append(batch)


# --- the bare table --------------------------------------------------------------------------------------------

_INSERT: Final = f"""
INSERT INTO mendel.run_events ({", ".join(Record._fields)}) VALUES ({", ".join(["%s"] * len(Record._fields))})
"""


class _Executemany:
    """The same rows into the same table by ``executemany``: a transaction and a synchronous commit per batch."""

    def __init__(self, conn: psycopg.Connection[Any], size: int, batches: int) -> None:
        self._conn = conn
        self._build = partial(events.batches, batches, BATCH, size)
        self._sealer = Sealer(Scrubber(), sample_payloads())
        self._run_id = new_run_id()
        self._tip = Tip()

    async def __call__(self) -> Sample:
        """The rows are built before the clock starts: nothing is validated, scrubbed or hashed inside it."""
        batches = [self._rows(batch) for batch in self._build()]
        gc.collect()
        began = time.perf_counter()
        with self._conn.cursor() as cursor:
            for rows in batches:
                cursor.executemany(_INSERT, rows)
                self._conn.commit()
        return Sample(sum(map(len, batches)), time.perf_counter() - began)

    def _rows(self, batch: Sequence[EventDraft]) -> list[tuple[object, ...]]:
        sealed = [self._sealer.seal(draft) for draft in batch]
        records, self._tip = chain(self._run_id, sealed, self._tip, utc_now())
        return [_row(record) for record in records]


def _row(record: Record) -> tuple[object, ...]:
    """A record in the types that psycopg passes on fastest."""
    return record._replace(
        run_id=UUID(record.run_id),  # type: ignore[arg-type]
        event_id=UUID(record.event_id),  # type: ignore[arg-type]
        payload=record.payload.decode(),  # type: ignore[arg-type]
        prev_hash=bytes.fromhex(record.prev_hash),  # type: ignore[arg-type]
        hash=bytes.fromhex(record.hash),  # type: ignore[arg-type]
    )


async def _against_bare(
    server: servers.BenchServer, size: int, sizes: Sizes, progress: Progress
) -> dict[str, list[float]]:
    bare = f"bare_{size}"
    server.new_database(bare)
    count_ = sizes.batches(size)
    async with _writer(server, f"ours_{size}") as writer:
        with psycopg.connect(server.runtime_conninfo(bare)) as conn:
            contenders: dict[str, Contender] = {
                "ours": _Ours(writer, size, count_, in_flight=IN_FLIGHT),
                "executemany": _Executemany(conn, size, count_),
                "ours_1_in_flight": _Ours(writer, size, count_),
            }
            return await rounds.interleave(contenders, sizes.rounds, _labelled(progress, f"{size} bytes"))

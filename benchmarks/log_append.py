"""``log_append``: the rate of events through the whole boundary, against the plain table and against a peer."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from functools import partial
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
from mendel.ports.records import Record, Sealer, Tip, chain

BATCH: Final = 100
IN_FLIGHT: Final = 2
PEER: Final = "eventsourcing[postgres]==9.5.6"
RECORDERS: Final = ("application", "application_functions", "aggregate")


class Sizes(NamedTuple):
    """The amount of work."""

    rounds: int
    batches_small: int
    batches_large: int
    singles: int

    def batches(self, size: int) -> int:
        """Return how many batches of 100 events of ``size`` bytes make one sample."""
        return self.batches_small if size == events.SMALL else self.batches_large


# Many short rounds rather than few long ones: other load then affects both sides of a round equally.
FULL: Final = Sizes(rounds=60, batches_small=15, batches_large=6, singles=100)
QUICK: Final = Sizes(rounds=15, batches_small=10, batches_large=4, singles=60)


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
    """Conduct a fresh run in a fresh database; yields its writer."""
    server.new_database(database)
    async with server.open_log(database) as log:
        run_id = await new_run(log)
        async with log.conduct(run_id, conductor="benchmark") as writer:
            yield writer


class _Ours:
    """Appends through ``RunWriter`` with a given number of batches in flight."""

    def __init__(self, writer: RunWriter, size: int, batches: int, *, length: int = BATCH, in_flight: int = 1) -> None:
        self._writer = writer
        self._build = partial(events.batches, batches, length, size)
        self._in_flight = in_flight

    async def __call__(self) -> Sample:
        """Measure from the first ``append`` to the last durable batch; the drafts are built before."""
        batches = self._build()
        waiting = iter(batches)  # shared by all tasks, so that ``in_flight`` batches are in flight until the end
        gc.collect()  # collect the drafts' garbage now, not inside the measurement
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
        """Insert rows that are built before the clock starts: it includes no validation, scrubbing or hashing."""
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
    """Return a record in the types that psycopg passes on fastest."""
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


# --- the peer --------------------------------------------------------------------------------------------------


@contextmanager
def _peer(server: servers.BenchServer, progress: Progress) -> Iterator[throwaway.Peer]:
    """Open the ``eventsourcing`` package with a separate database on the same server."""
    progress.say(f"installing {PEER} into a throw-away environment")
    place = conninfo_to_dict(server.new_database("peer", empty=True))
    with ExitStack() as stack:
        python = stack.enter_context(throwaway.environment([PEER, "psycopg[binary]"]))
        states = stack.enter_context(tempfile.NamedTemporaryFile(prefix="mendel-states-"))
        Path(states.name).write_bytes(b"\n".join(_states(BATCH * 20)))
        arguments = [*(str(place[key]) for key in ("host", "port", "user", "dbname")), states.name]
        yield stack.enter_context(throwaway.peer(python, "eventsourcing_writer.py", arguments))


def _states(count: int) -> list[bytes]:
    """Return payloads as we store them, for the peer."""
    sealer = Sealer(Scrubber(), sample_payloads())
    return [sealer.seal(draft).data for draft in events.drafts(count, events.SMALL)]


class _Theirs:
    """One of the peer's recorders, writing one batch after another."""

    def __init__(self, peer: throwaway.Peer, recorder: str, batches: int, length: int) -> None:
        self._peer = peer
        self._order: dict[str, object] = {"recorder": recorder, "batch": length, "batches": batches}
        self._events = batches * length

    async def __call__(self) -> Sample:
        """Run one sample; the peer measures the time, without building its events and without communication."""
        return Sample(self._events, self._peer.ask(self._order)["seconds"])


async def _against_peer(
    server: servers.BenchServer, peer: throwaway.Peer, sizes: Sizes, progress: Progress
) -> dict[int, dict[str, list[float]]]:
    """Return rates by the length of the batches."""
    found = {}
    async with _writer(server, "ours_peer") as writer:
        for length, batches in ((1, sizes.singles), (BATCH, sizes.batches_small)):
            contenders: dict[str, Contender] = {
                "ours": _Ours(writer, events.SMALL, batches, length=length, in_flight=IN_FLIGHT if length > 1 else 1)
            }
            contenders |= {name: _Theirs(peer, name, batches, length) for name in RECORDERS}
            if length > 1:
                contenders["ours_1_in_flight"] = _Ours(writer, events.SMALL, batches, length=length)
            say = _labelled(progress, f"peer, batches of {length}")
            found[length] = await rounds.interleave(contenders, sizes.rounds, say)
    return found


def _labelled(progress: Progress, label: str) -> Callable[[str], None]:
    return lambda line: progress.say(f"{label}: {line}")


# --- figures ---------------------------------------------------------------------------------------------------


def _report(
    bare: dict[int, dict[str, list[float]]],
    peers: dict[int, dict[str, list[float]]],
    sizes: Sizes,
    surroundings: dict[str, object],
) -> Report:
    to_executemany = {size: rounds.ratio(rates, "ours", "executemany") for size, rates in bare.items()}
    to_peer = {
        length: {name: rounds.ratio(rates, "ours", name) for name in RECORDERS} for length, rates in peers.items()
    }
    figures = {
        "to_executemany": Figure(min(to_executemany.values()), ">= 0.3"),
        "to_eventsourcing_1": Figure(to_peer[1]["application"], "> 1"),
        "to_eventsourcing_100": Figure(to_peer[BATCH]["application"], "> 1"),
    }
    summary = {
        "to_executemany": to_executemany,
        "to_executemany_1_in_flight": {
            size: rounds.ratio(rates, "ours_1_in_flight", "executemany") for size, rates in bare.items()
        },
        "to_eventsourcing": to_peer,
        "events_s": {f"{size} bytes": rounds.medians(rates) for size, rates in bare.items()}
        | {f"peer, batches of {length}": rounds.medians(rates) for length, rates in peers.items()},
    }
    raw = surroundings | {
        "in_flight": IN_FLIGHT,
        "sizes": {"batch": BATCH, "payload_bytes": list(bare), **sizes._asdict()},
        "summary": _rounded(summary),
        "samples_events_s": {"bare": bare, "peer": peers},
        "peer": PEER,
    }
    return Report("log_append", figures, raw)


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 3) if isinstance(value, float) else value

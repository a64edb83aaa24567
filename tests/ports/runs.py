"""Small real runs to break, and chains made by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import count

from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.conformance import samples
from mendel.contracts.ids import new_run_id
from mendel.contracts.log_views import Head
from mendel.contracts.scrub import Scrubber
from mendel.ports.event_log import EventLog
from mendel.ports.records import Record, Sealer, Tip, chain, digest
from mendel.ports.run_file import end_line, event_line, header_line
from mendel.ports.transfer import export_run

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def ticking_clock() -> Callable[[], datetime]:
    """A clock that is one microsecond later at every look."""
    ticks = count()
    return lambda: NOON + timedelta(microseconds=next(ticks))


def memory_log(scrubber: Scrubber | None = None) -> MemoryEventLog:
    return MemoryEventLog(payloads=samples.sample_payloads(), scrubber=scrubber, clock=ticking_clock())


def a_chain(length: int, run_id: str | None = None) -> list[Record]:
    """A valid chain: configured, then findings."""
    sealer = Sealer(Scrubber(), samples.sample_payloads())
    drafts = [samples.configured(), *samples.findings(length - 1)][:length]
    records, _ = chain(run_id or new_run_id(), [sealer.seal(draft) for draft in drafts], Tip(), NOON)
    return records


def rechained(records: Sequence[Record]) -> list[Record]:
    """``records`` with sequence, predecessor and hash made right again, as a forger with a SHA-256 would."""
    done: list[Record] = []
    for record in records:
        prev_hash = done[-1].hash if done else "0" * 64
        moved = record._replace(sequence=len(done), prev_hash=prev_hash)
        done.append(moved._replace(hash=digest(moved)))
    return done


def as_file(records: Sequence[Record], run_id: str | None = None) -> bytes:
    """A run file of ``records``, whatever they hold."""
    head = Head(sequence=records[-1].sequence, hash=records[-1].hash)
    return header_line(run_id or records[0].run_id) + b"".join(map(event_line, records)) + end_line(head)


async def exported(log: EventLog, run_id: str) -> bytes:
    buffer = BytesIO()
    await export_run(log, run_id, buffer)
    return buffer.getvalue()


async def everything(log: EventLog) -> list[object]:
    """All that a log holds, to see that it was left alone."""
    runs = await log.runs()
    records = [record for run in runs for record in [r async for c in log.records(run.run_id) for r in c]]
    heads = [await log.checkpoints.get(run.run_id) for run in runs]
    return [runs, records, heads]


def small_export() -> bytes:
    """The run file of four events, two of them with a blob each."""

    async def make() -> bytes:
        async with memory_log() as log:
            refs = await log.blobs.put(b"\x00\xffa blob"), await log.blobs.put(b"another")
            return await exported(
                log, await samples.new_run(log, [samples.finding(1), *map(samples.blob_stored, refs)])
            )

    return asyncio.run(make())

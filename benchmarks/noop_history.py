"""Histories of no-op runs, as run files; recorded in a separate process, so that its memory is freed afterwards."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.noop_runs import conducted, noop_config
from mendel.adapters.memory.event_log import MemoryEventLog
from mendel.contracts.events.envelope import Event
from mendel.ports.records import ChainChecker, Record, event_of
from mendel.ports.run_file import parse_lines
from mendel.ports.transfer import export_run

EVENTS_PER_CANDIDATE: Final = 14.05
"""Slightly fewer than the real number, so that a run has about the requested events, rather more than fewer."""


async def recorded(path: Path, events: int) -> None:
    """Conduct a run of about ``events`` events on the in-memory log, and export it to ``path``."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        await asyncio.get_running_loop().run_in_executor(pool, _record, path, round(events / EVENTS_PER_CANDIDATE))


def _record(path: Path, candidates: int) -> None:
    asyncio.run(_conduct_and_export(path, candidates))


async def _conduct_and_export(path: Path, candidates: int) -> None:
    log = MemoryEventLog()
    ran = await conducted(log, noop_config(candidates, seed=candidates))
    with path.open("wb") as target:
        await export_run(log, ran.run_id, target)


def read_back(path: Path) -> Iterator[Event]:
    """Yield the events of a run file, each parsed, checked against the chain and decoded, as a replay does."""
    checker = ChainChecker()
    with path.open("rb") as lines:
        for line in parse_lines(iter(lines)):
            if isinstance(line, Record):
                checker.check(line)
                yield event_of(line)


def in_chunks(events: Iterator[Event], length: int) -> Iterator[list[Event]]:
    """Yield ``events`` in lists of ``length``; the last may be shorter."""
    while chunk := list(islice(events, length)):
        yield chunk

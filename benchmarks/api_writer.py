"""Stores the records of a run file at a steady pace: `python -m benchmarks.api_writer HOME FILE RATE SENT`.

The first record is stored immediately, so that the run exists; the others after "go" on stdin. The times of the
handovers are written to SENT.
"""

from __future__ import annotations

import asyncio
import sys
import time
from array import array
from pathlib import Path

from benchmarks.api_pace import paced
from benchmarks.api_sides import kept
from mendel.ports.records import Record
from mendel.ports.run_file import parse_lines
from mendel.settings import load_settings
from mendel.wiring import open_log


def records_of(path: Path) -> list[Record]:
    """Return the records of a run file."""
    with path.open("rb") as lines:
        return [line for line in parse_lines(iter(lines)) if isinstance(line, Record)]


async def main(home: str, path: Path, rate: int, sent: Path) -> None:
    """Store all records."""
    settings = load_settings(flags={"home": home}, environ={}).settings
    first, *others = records_of(path)
    times = array("q")
    async with open_log(settings, create=True, announce=print) as log:
        await log.import_records(first.run_id, [first])
        print(f"run {first.run_id}", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        async for batch in paced(others, rate):
            now = time.monotonic_ns()
            times.extend(number for record in batch for number in (record.sequence, now))
            await log.import_records(first.run_id, batch)
    kept(sent, times)
    print(f"last {others[-1].sequence}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))

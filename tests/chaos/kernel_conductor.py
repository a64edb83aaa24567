"""The process that conducts a run, and dies: started by ``kernel_scene``, it waits for ``go`` and where to stop.

It ends with 0 once the run is over, whoever ended it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from tests.chaos import marks
from tests.chaos.homes import Home
from tests.chaos.kernel_gaps import GapFabric, Gaps, Place, open_log
from tests.chaos.writer import log_to_stderr

from mendel.adapters.memory.clock import SystemClock
from mendel.contracts.errors import RunBusy
from mendel.kernel.conduct import conduct, folded
from mendel.kernel.conductor import Options
from mendel.kernel.loading import load_domain
from mendel.ports.event_log import EventLog

_RETRY_S: Final = 0.02


@dataclass(frozen=True)
class Job:
    home: Home
    number: int
    marks: int

    @classmethod
    def from_arguments(cls) -> Job:
        given = argparse.ArgumentParser()
        for name in ("backend", "home"):
            given.add_argument(f"--{name}", required=True)
        for name in ("number", "marks"):
            given.add_argument(f"--{name}", required=True, type=int)
        found = given.parse_args()
        return cls(Home(found.backend, Path(found.home)), found.number, found.marks)


@dataclass(frozen=True)
class Turn:
    """What the process is told when its turn comes."""

    run_id: str
    workers: int
    place: Place
    nth: int

    def spelled(self) -> str:
        return f"go|{self.run_id}|{self.workers}|{self.place}|{self.nth}\n"

    @classmethod
    def awaited(cls, job: Job) -> Turn | None:
        """The turn, or None if it never comes: nobody needs a conductor whose input ended."""
        marks.send(job.marks, marks.READY)
        match sys.stdin.readline().strip().split("|"):
            case ["go", run_id, workers, place, nth]:
                return cls(run_id, int(workers), cast("Place", place), int(nth))
        return None


async def bring_to_its_end(job: Job, turn: Turn) -> None:
    gaps = Gaps(job.marks, turn.place, turn.nth)
    async with open_log(job.home, gaps) as log:
        fabric = GapFabric(gaps, workers=turn.workers)
        while not (await folded(log, turn.run_id)).terminal:
            await _conduct_once(job, turn, log, fabric, gaps)
        await fabric.close()


async def _conduct_once(job: Job, turn: Turn, log: EventLog, fabric: GapFabric, gaps: Gaps) -> None:
    options = Options(conductor=f"conductor-{job.number}", listen=lambda _: gaps.mark(marks.ACKNOWLEDGED))
    try:
        await conduct(turn.run_id, log=log, fabric=fabric, clock=SystemClock(), options=options)
    except RunBusy:
        await asyncio.sleep(_RETRY_S)  # the store has not noticed yet that the last conductor is dead


def main() -> None:
    job = Job.from_arguments()
    log_to_stderr(job.marks)
    load_domain("reference")
    turn = Turn.awaited(job)
    if turn is not None:
        asyncio.run(bring_to_its_end(job, turn))


if __name__ == "__main__":
    main()

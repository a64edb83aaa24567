"""The process that appends, and dies: started by ``scene``, it waits for ``go`` and writes until its input ends."""

from __future__ import annotations

import argparse
import asyncio
import random
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import structlog
from tests.chaos import keeper, marks
from tests.chaos.homes import Home

from mendel.conformance.samples import finding
from mendel.contracts.errors import MachineryError, RunBusy
from mendel.contracts.events.envelope import Event, EventDraft
from mendel.ports.event_log import EventLog, RunWriter

IN_FLIGHT = 6
MOST_DRAFTS = 50
_SMALLEST, _LARGEST = 100, 8_000
_RETRY_S = 0.02


@dataclass(frozen=True)
class Job:
    home: Home
    run_id: str
    number: int
    seed: int
    keeper: str
    marks: int
    pause_s: float

    @classmethod
    def from_arguments(cls) -> Job:
        given = argparse.ArgumentParser()
        for name in ("backend", "home", "run", "keeper"):
            given.add_argument(f"--{name}", required=True)
        for name in ("number", "seed", "marks"):
            given.add_argument(f"--{name}", required=True, type=int)
        given.add_argument("--pause", required=True, type=float)
        found = given.parse_args()
        home = Home(found.backend, Path(found.home))
        return cls(home, found.run, found.number, found.seed, found.keeper, found.marks, found.pause)


class Writer:
    """Up to ``IN_FLIGHT`` batches at once, each announced to the keeper before and after."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._draws = random.Random(f"{job.seed}/{job.number}")
        self._text = "".join(self._draws.choices('abcdefgh \n"\\é', k=2 * _LARGEST))
        self._keeper = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._keeper.connect(keeper.address(job.keeper))
        self._batches = 0
        self._stop = asyncio.Event()

    def await_turn(self) -> bool:
        """Whether it came; nobody needs a writer whose input ended."""
        self._tell("hello")
        marks.send(self._job.marks, marks.READY)
        return sys.stdin.readline() == "go\n"

    async def run(self) -> None:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), self._stop.set)
        async with self._job.home.open_to_write(self._job.marks) as log:
            while not self._stop.is_set():
                await self._conduct(log)

    async def _conduct(self, log: EventLog) -> None:
        """Take the run over; where that is not possible yet, say so, and the caller tries again."""
        conducting = log.conduct(self._job.run_id, conductor=f"writer-{self._job.number}")
        try:
            writer = await conducting.__aenter__()
        except (RunBusy, MachineryError) as error:
            self._tell("retry", reason=f"{error.code}: {error}")
            await asyncio.sleep(_RETRY_S)
            return
        self._tell("took_over", epoch=writer.epoch)
        async with asyncio.TaskGroup() as lanes:
            for _ in range(IN_FLIGHT):
                lanes.create_task(self._append_batches(writer))
        await conducting.__aexit__(None, None, None)

    async def _append_batches(self, writer: RunWriter) -> None:
        while not self._stop.is_set():
            drafts = self._draw_batch()
            self._batches += 1
            batch = f"{self._job.number}.{self._batches}"
            self._tell("batch", batch=batch, ids=[draft.id for draft in drafts])
            self._acknowledge(batch, await writer.append(drafts))
            # Mostly none, sometimes long: so that now one batch is in flight and now all.
            await asyncio.sleep(self._job.pause_s * self._draws.random() ** 3)

    def _draw_batch(self) -> list[EventDraft]:
        return [self._draw_draft(number) for number in range(self._draws.randint(1, MOST_DRAFTS))]

    def _draw_draft(self, number: int) -> EventDraft:
        length = int(_SMALLEST * (_LARGEST / _SMALLEST) ** self._draws.random())
        start = self._draws.randrange(_LARGEST)
        return finding(number, {"text": self._text[start : start + length]})

    def _acknowledge(self, batch: str, events: Sequence[Event]) -> None:
        self._tell("ack", batch=batch, events=[(event.sequence, event.id, event.hash) for event in events])
        marks.send(self._job.marks, marks.ACKNOWLEDGED)

    def _tell(self, kind: str, **facts: object) -> None:
        message = {"kind": kind, "writer": self._job.number, **facts}
        self._keeper.sendall(orjson.dumps(message) + b"\n")


def log_to_stderr(descriptor: int) -> None:
    """What the log says goes to stderr, and its pauses to the marks too."""
    kinds = {"log_writer_paused": marks.PAUSED, "log_writer_resumed": marks.RESUMED}

    def mark(_logger: object, _method: str, event: structlog.types.EventDict) -> structlog.types.EventDict:
        if event["event"] in kinds:
            marks.send(descriptor, kinds[event["event"]])
        return event

    processors: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso"),
        mark,
        structlog.processors.JSONRenderer(),
    ]
    structlog.configure(processors=processors, logger_factory=structlog.PrintLoggerFactory(sys.stderr))


def main() -> None:
    job = Job.from_arguments()
    log_to_stderr(job.marks)
    writer = Writer(job)
    if writer.await_turn():
        asyncio.run(writer.run())


if __name__ == "__main__":
    main()

"""What the keeper recorded, and whether the log agrees."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from mendel.contracts.errors import DatabaseUnavailable
from mendel.contracts.events.run import ConductorTookOver, RunConfigured
from mendel.contracts.log_views import VerifyReport
from mendel.ports.event_log import EventLog
from mendel.ports.records import Record
from mendel.ports.verification import verify

LOOKS = 300
BETWEEN_LOOKS_S = 0.2
_OF_THE_RUN = (RunConfigured.type, ConductorTookOver.type)


class PromiseBroken(Exception):
    """The log did not keep what it promises."""


def require(held: bool, broken: str) -> None:
    """Raise where a promise was not kept."""
    if not held:
        raise PromiseBroken(broken)


class Stored(NamedTuple):
    event_id: str
    hash: str


class Ledger:
    """The keeper's record, read as it grows."""

    def __init__(self, record: Path) -> None:
        self._record = record
        self._offset = 0
        self.acknowledged: dict[int, Stored] = {}
        self.unchecked: list[int] = []
        self.batches: dict[str, list[str]] = {}
        self.batch_of: dict[str, str] = {}
        self.epochs: dict[int, int] = {}
        self.gone: set[int] = set()
        self.retries: list[str] = []
        self._readers: dict[str, Callable[[dict[str, Any]], None]] = {
            "hello": lambda line: None,
            "gone": lambda line: self.gone.add(line["writer"]),
            "retry": lambda line: self.retries.append(line["reason"]),
            "took_over": lambda line: self.epochs.update({line["epoch"]: line["writer"]}),
            "batch": self._read_batch,
            "ack": self._read_ack,
        }

    def read_on(self) -> None:
        """Take in what was recorded since the last time."""
        if not self._record.exists():
            return
        with self._record.open("rb") as stream:
            stream.seek(self._offset)
            whole, newline, _ = stream.read().rpartition(b"\n")
        self._offset += len(whole) + len(newline)
        for text in whole.splitlines():
            line = orjson.loads(text)
            self._readers[line["kind"]](line)

    def _read_batch(self, line: dict[str, Any]) -> None:
        self.batches[line["batch"]] = line["ids"]
        self.batch_of.update(dict.fromkeys(line["ids"], line["batch"]))

    def _read_ack(self, line: dict[str, Any]) -> None:
        ids = [event_id for _, event_id, _ in line["events"]]
        require(ids == self.batches[line["batch"]], f"batch {line['batch']} was acknowledged with other events")
        for sequence, event_id, digest in line["events"]:
            require(sequence not in self.acknowledged, f"sequence {sequence} was acknowledged twice")
            self.acknowledged[sequence] = Stored(event_id, digest)
            self.unchecked.append(sequence)


class Checker:
    """Follows the log from kill to kill; what it once saw must stand there for ever."""

    def __init__(self, ledger: Ledger, run_id: str) -> None:
        self._ledger = ledger
        self._run_id = run_id
        self._where: dict[str, int] = {}
        self._attributed = 0
        self.stored: list[Stored] = []
        self.of_the_run: dict[int, str] = {}
        self.conductors: dict[int, str] = {}

    async def look(self, log: EventLog) -> None:
        """The cheap check: everything new since the last look, and the join to what was there then."""
        self._ledger.read_on()
        due, self._ledger.unchecked = self._ledger.unchecked, []
        await self._read_on(log)
        self._require_acknowledged(due)
        self._ledger.read_on()
        self._attribute()

    async def finish(self, log: EventLog) -> VerifyReport:
        """The complete check, by a log that was opened for it and reads everything anew."""
        await self.look(log)
        again = Checker(self._ledger, self._run_id)
        await again._read_on(log)
        require(again.stored == self.stored, "read anew, the log is not what it was seen to be")
        self._require_acknowledged(list(self._ledger.acknowledged))
        require(self._attributed == len(self.stored), f"nobody announced the event at {self._attributed}")
        self._require_epochs()
        report = await verify(log, self._run_id)
        require(report.ok, f"verify: {report.problem}")
        require(report.checkpoint in {"matches", "behind"}, f"verify: the checkpoint is {report.checkpoint}")
        require(report.events == len(self.stored), f"verify saw {report.events} events, not {len(self.stored)}")
        return report

    async def _read_on(self, log: EventLog) -> None:
        for _ in range(LOOKS):
            try:
                async for chunk in log.records(self._run_id, max(len(self.stored) - 1, 0)):
                    for record in chunk:
                        self._take(record)
            except DatabaseUnavailable:
                await asyncio.sleep(BETWEEN_LOOKS_S)
            else:
                return
        raise PromiseBroken("the server stayed away")

    def _take(self, record: Record) -> None:
        stored = Stored(record.event_id, record.hash)
        if record.sequence < len(self.stored):
            require(self.stored[record.sequence] == stored, f"what stood at {record.sequence} was replaced")
            return
        require(record.sequence == len(self.stored), f"a gap before {record.sequence}")
        require(record.event_id not in self._where, f"event {record.event_id} stands in the log twice")
        self._where[record.event_id] = record.sequence
        self.stored.append(stored)
        if record.type in _OF_THE_RUN:
            self.of_the_run[record.sequence] = record.type
        if record.type == ConductorTookOver.type:
            self._take_conductor(record)

    def _take_conductor(self, record: Record) -> None:
        payload = ConductorTookOver.model_validate_json(record.payload)
        require(payload.epoch == record.sequence, f"the epoch at {record.sequence} is {payload.epoch}")
        require(payload.epoch > max(self.conductors, default=0), f"epoch {payload.epoch} does not increase")
        self.conductors[payload.epoch] = payload.conductor

    def _require_acknowledged(self, sequences: list[int]) -> None:
        for sequence in sequences:
            require(sequence < len(self.stored), f"acknowledged, but lost: {sequence}; the log has {len(self.stored)}")
            expected = self._ledger.acknowledged[sequence]
            require(self.stored[sequence] == expected, f"at {sequence} stands another event than was acknowledged")

    def _attribute(self) -> None:
        """Find the batch of every stored event: all of it must stand there, in order, side by side.

        The keeper may still be recording the newest batches; those wait for the next look.
        """
        while self._attributed < len(self.stored):
            place = self._attributed
            batch = self._ledger.batch_of.get(self.stored[place].event_id)
            if place in self.of_the_run:
                self._attributed += 1
            elif batch is None:
                return
            else:
                ids = self._ledger.batches[batch]
                found = [stored.event_id for stored in self.stored[place : place + len(ids)]]
                require(found == ids, f"batch {batch} is torn at sequence {place}")
                self._attributed += len(ids)

    def _require_epochs(self) -> None:
        for epoch, writer in self._ledger.epochs.items():
            require(self.conductors.get(epoch) == f"writer-{writer}", f"the take-over at {epoch} was lost")

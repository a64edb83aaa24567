"""What the design promises about a run whose conductors are killed, checked against log and executions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import orjson
from tests.chaos.ledger import require

from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import ConductorTookOver, RunCompleted
from mendel.kernel.digest import outcome_digest, state_digest
from mendel.kernel.fold import fold
from mendel.kernel.state import RunState
from mendel.ports.event_log import EventLog
from mendel.ports.records import Record, event_of
from mendel.ports.verification import verify

_ENDS: Final = (OperationCompleted.type, OperationFailed.type)
_UNLUCKY: Final = "unlucky"
"""How handlers of the reference domain fail."""


class Attempt(NamedTuple):
    operation_id: str
    number: int


class Executions:
    """The file in which every execution leaves a line when it begins and when it ends, read as it grows."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0

    def fresh(self) -> list[tuple[str, Attempt]]:
        """What was written since the last time."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as stream:
            stream.seek(self._offset)
            text = stream.read()
        require(text.endswith(b"\n") or not text, "an execution left half a line")
        self._offset += len(text)
        lines = (line.split(" ") for line in text.decode().splitlines())
        return [(word, Attempt(operation_id, int(number))) for word, operation_id, number in lines]


class Outcome(NamedTuple):
    """What a run and its twin must agree on; energy is charged for success only, so killed attempts cost none."""

    digest: str
    energy: int


@dataclass(frozen=True)
class Hit:
    """Which gaps a kill hit, told by what the dead conductor's own life left behind."""

    marker_to_effect: bool
    effect_to_completion: bool


class Witness:
    """Follows one run from kill to kill; what it once saw must stand there for ever."""

    def __init__(self, run_id: str, executions: Path) -> None:
        self.run_id = run_id
        self.hashes: list[str] = []
        self.flying: dict[str, int] = {}
        self.ended: Counter[str] = Counter()
        self.markers: Counter[str] = Counter()
        self.begun: Counter[Attempt] = Counter()
        self.executed: Counter[str] = Counter()
        self.killed_in_flight: Counter[str] = Counter()
        self.take_overs = 0
        self._executions = Executions(executions)
        self._over_before: set[str] = set()
        self._fresh_markers: set[Attempt] = set()

    # --- at every kill ---------------------------------------------------------------------------------------

    async def judge_kill(self, log: EventLog) -> Hit:
        """The conductor and its workers are dead: check what they did, and remember what they left."""
        self._fresh_markers.clear()
        await self._read_on(log)
        finished = self._take_executions()
        hit = Hit(
            marker_to_effect=any(self._is_flying(each) and each not in self.begun for each in self._fresh_markers),
            effect_to_completion=any(self._is_flying(each) for each in finished),
        )
        self.killed_in_flight.update(self.flying.keys())
        self._over_before = set(self.ended)
        return hit

    def _is_flying(self, attempt: Attempt) -> bool:
        return self.flying.get(attempt.operation_id) == attempt.number

    async def _read_on(self, log: EventLog) -> None:
        """Everything new, and the join to what was there at the last kill."""
        async for chunk in log.records(self.run_id, max(len(self.hashes) - 1, 0)):
            for record in chunk:
                self._take(record)

    def _take(self, record: Record) -> None:
        if record.sequence < len(self.hashes):
            was = self.hashes[record.sequence]
            require(was == record.hash, f"the log before the kill is no prefix: {record.sequence} was replaced")
            return
        require(record.sequence == len(self.hashes), f"a gap in the log before {record.sequence}")
        self.hashes.append(record.hash)
        if record.type == OperationStarted.type:
            payload = orjson.loads(record.payload)
            self._take_marker(Attempt(payload["operation"]["id"], payload.get("attempt", 1)))
        elif record.type in _ENDS:
            self._take_end(orjson.loads(record.payload)["operation_id"])
        elif record.type == ConductorTookOver.type:
            self.take_overs += 1

    def _take_marker(self, attempt: Attempt) -> None:
        name = attempt.operation_id
        require(name not in self.ended, f"{name} has a completion, and a marker for attempt {attempt.number} after it")
        self.markers[name] += 1
        require(attempt.number == self.markers[name], f"{name}: attempt {attempt.number} is out of turn")
        self.flying[name] = attempt.number
        self._fresh_markers.add(attempt)

    def _take_end(self, name: str) -> None:
        self.ended[name] += 1
        require(self.ended[name] == 1, f"{name} has {self.ended[name]} completions")
        require(self.flying.pop(name, None) is not None, f"{name} ends without a marker")

    def _take_executions(self) -> set[Attempt]:
        """Check what was executed since the last kill; those that came to their end."""
        finished = set()
        for word, attempt in self._executions.fresh():
            if word == "begin":
                self._take_execution(attempt)
            else:
                finished.add(attempt)
        return finished

    def _take_execution(self, attempt: Attempt) -> None:
        name = attempt.operation_id
        require(name not in self._over_before, f"{name} was performed again, though its completion was logged")
        require(attempt.number <= self.markers[name], f"{name}: attempt {attempt.number} has no durable marker")
        self.begun[attempt] += 1
        require(self.begun[attempt] == 1, f"attempt {attempt.number} of {name} was performed twice")
        self.executed[name] += 1
        most = 1 + self.killed_in_flight[name]
        require(
            self.executed[name] <= most,
            f"{name} was performed {self.executed[name]} times, but only {most - 1} kills hit it in flight",
        )

    # --- at the end ------------------------------------------------------------------------------------------

    async def judge_end(self, log: EventLog) -> Outcome:
        """The run is over: every promise, from the log read anew."""
        await self._read_on(log)
        self._take_executions()
        events = [event_of(record) async for chunk in log.records(self.run_id) for record in chunk]
        require([event.hash for event in events] == self.hashes, "read anew, the log is not what it was seen to be")
        require(not self.flying, f"the run is over, but {len(self.flying)} operations have no completion")
        invented = self.ended.keys() - self.executed.keys()
        require(not invented, f"{len(invented)} operations have a completion, but nobody performed them")
        outcome = replayed(self.run_id, events)
        report = await verify(log, self.run_id)
        require(report.ok, f"verify: {report.problem}")
        require(report.checkpoint in {"matches", "behind"}, f"verify: the checkpoint is {report.checkpoint}")
        return outcome


def replayed(run_id: str, events: list[Event]) -> Outcome:
    """Fold the log of a complete run, require its digests and conserved energy; what came out."""
    last = events[-1].payload
    require(isinstance(last, RunCompleted), f"the run did not complete: {events[-1].type}, {last}")
    assert isinstance(last, RunCompleted)
    state = _folded(run_id, events[:-1])
    require(state_digest(state) == last.summary.state_digest, "replay arrives at another state digest")
    require(outcome_digest(state) == last.summary.outcome_digest, "replay arrives at another outcome digest")
    require(state.ledger.spent == last.summary.energy_spent, "replay arrives at another energy")
    codes = {event.payload.error_code for event in events if isinstance(event.payload, OperationFailed)}
    require(codes <= {_UNLUCKY}, f"operations failed of something else than their handlers: {codes - {_UNLUCKY}}")
    return Outcome(outcome_digest(state), state.ledger.spent)


def _folded(run_id: str, events: Iterable[Event]) -> RunState:
    """The state after ``events``; energy is conserved after each of them."""
    state, spent = RunState(run_id), 0
    for event in events:
        fold(state, event)
        ledger, at = state.ledger, f"at {event.sequence} ({event.type})"
        held = sum(flown.operation.reserved_energy for flown in state.in_flight.values())
        require(ledger.reserved == held, f"{ledger.reserved} energy is reserved for what holds {held} {at}")
        require(ledger.spent >= spent, f"spent energy fell from {spent} to {ledger.spent} {at}")
        require(
            ledger.spent + ledger.reserved <= state.caps.energy_budget,
            f"{ledger.spent} spent and {ledger.reserved} reserved are above the budget {at}",
        )
        spent = ledger.spent
    return state

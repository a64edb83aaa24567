"""The history that a replay of a run goes through, and the digests that it must reproduce."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple, Self

from pydantic import AwareDatetime

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    ConductorTookOver,
    RunCompleted,
    RunFailed,
    RunStopped,
    RunSummary,
)
from mendel.contracts.statuses import RunStatus
from mendel.projections.current_state import CommandRow, command_row
from mendel.projections.tables import elapsed_ms


class EpochRow(Contract):
    """The events of one conductor, from its takeover to its last event."""

    conductor: str
    from_sequence: Count
    to_sequence: Count
    wall_ms: Count


class ReplaySummaryView(Contract):
    """The history of a run through the event ``sequence_through``.

    ``repeated`` contains the operations that were started more than once, with their numbers of attempts; the digests
    are those recorded in the run's terminal event.
    """

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    first_event_at: AwareDatetime
    last_event_at: AwareDatetime
    events_by_type: Mapping[str, int]
    epochs: tuple[EpochRow, ...]
    completions: Count
    failures_by_code: Mapping[str, int]
    repeated: Mapping[str, int]
    state_digest: str | None
    outcome_digest: str | None
    commands: tuple[CommandRow, ...]


class _Epoch(NamedTuple):
    conductor: str
    sequence: int
    began: datetime

    def through(self, last: Event) -> EpochRow:
        return EpochRow(
            conductor=self.conductor,
            from_sequence=self.sequence,
            to_sequence=last.sequence,
            wall_ms=elapsed_ms(self.began, last.occurred_at),
        )


class ReplaySummaryFold:
    """Folds events into a ``ReplaySummaryView``; takes every event of one run in order."""

    def __init__(self) -> None:
        self._first: Event | None = None
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._counts: Counter[str] = Counter()
        self._epoch: _Epoch | None = None
        self._earlier_epochs: list[EpochRow] = []
        self._failures: Counter[str] = Counter()
        self._completions = 0
        self._attempts: dict[str, int] = {}
        self._repeated: dict[str, int] = {}
        self._summary = RunSummary()
        self._commands: list[CommandRow] = []

    def take(self, event: Event) -> Self:
        """Fold one event."""
        if isinstance(event.payload, ConductorTookOver):
            self._earlier_epochs.extend(self._open_epoch())
            self._epoch = _Epoch(event.payload.conductor, event.sequence, event.occurred_at)
        self._first = self._first or event
        self._last = event
        self._counts[event.type] += 1
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        if row := command_row(event.payload):
            self._commands.append(row)
        self._take_work(event.payload)
        return self

    def _take_work(self, payload: Payload) -> None:
        match payload:
            case OperationStarted(operation=operation, attempt=attempt):
                self._start(operation.id, attempt)
            case OperationCompleted():
                self._completions += 1
            case OperationFailed(error_code=code):
                self._failures[code] += 1
            case RunCompleted(summary=summary) | RunStopped(summary=summary) | RunFailed(summary=summary):
                self._summary = summary

    def _start(self, operation_id: str, attempt: int) -> None:
        attempts = max(attempt, self._attempts.get(operation_id, 0) + 1)
        self._attempts[operation_id] = attempts
        if attempts > 1:
            self._repeated[operation_id] = attempts

    def _open_epoch(self) -> tuple[EpochRow, ...]:
        return (self._epoch.through(self._last),) if self._epoch and self._last else ()

    def view(self) -> ReplaySummaryView | None:
        """Return the view; None before the first event."""
        if self._first is None or self._last is None:
            return None
        return ReplaySummaryView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            status=self._status,
            first_event_at=self._first.occurred_at,
            last_event_at=self._last.occurred_at,
            events_by_type=dict(self._counts.most_common()),
            epochs=(*self._earlier_epochs, *self._open_epoch()),
            completions=self._completions,
            failures_by_code=dict(self._failures.most_common()),
            repeated=self._repeated,
            state_digest=self._summary.state_digest,
            outcome_digest=self._summary.outcome_digest,
            commands=tuple(self._commands),
        )

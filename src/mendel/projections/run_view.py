"""A run at a glance, as the command line shows it: a pure fold over its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Self

from pydantic import AwareDatetime, Field

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    CommandAccepted,
    ConductorTookOver,
    RunConfigured,
)
from mendel.contracts.log_views import Head
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig
from mendel.contracts.statuses import RunStatus
from mendel.projections.current_state import Champions, first_champion
from mendel.projections.health import FailedSteps


class RunView(Contract):
    """What one can say of a run after the event ``sequence_through``."""

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    config: RunConfig | None
    started_at: AwareDatetime
    last_event_at: AwareDatetime
    head: Head
    conductor: str | None
    epoch: int | None
    events_by_type: Mapping[str, int]
    operations_in_flight: tuple[str, ...]
    energy_spent: Count
    best_candidate_id: str | None
    best_fitness: float | None
    champion_id: str | None = Field(description="the champion of the first niche in which the run adopted one")
    parameters: DomainPayload | None = Field(default=None, description="of the domain, as they hold now")
    parameters_since: Count | None = Field(default=None, description="the event from which on they hold")
    champions: Mapping[str, str] = Field(default={}, description="by niche, those adopted through the gate")
    failures: Mapping[str, int] = Field(
        default={}, description="failed operations by step and message, the most frequent first; at most five"
    )


class RunFold:
    """Folds events into a ``RunView``; feed it every event of one run in order."""

    def __init__(self) -> None:
        self._first: Event | None = None
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._config: RunConfig | None = None
        self._took_over: ConductorTookOver | None = None
        self._counts: Counter[str] = Counter()
        self._in_flight: dict[str, None] = {}
        self._energy = 0
        self._births: dict[str, tuple[int, int]] = {}
        self._best: tuple[tuple[float, int, int], str] | None = None
        self._champions = Champions()
        self._parameters: tuple[DomainPayload | None, int | None] = None, None
        self._failed = FailedSteps()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._first = self._first or event
        self._last = event
        self._counts[event.type] += 1
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._champions.take(event.payload)
        self._failed.take(event)
        match event.payload:
            case RunConfigured(config=config):
                self._config = config
                self._hold(config.parameters, event)
            case CommandAccepted(parameters=parameters):
                self._hold(parameters, event)
            case ConductorTookOver() as took_over:
                self._took_over = took_over
            case OperationStarted(operation=operation):
                self._in_flight[operation.id] = None
            case OperationCompleted(operation_id=ended) | OperationFailed(operation_id=ended):
                self._in_flight.pop(ended, None)
            case EnergySpent(actual=actual):
                self._energy += actual
            case CandidateCreated(candidate=candidate):
                self._births[candidate.id] = len(self._births), candidate.birth
            case FitnessScored(score=score):
                self._score(score.total, score.candidate_id)
        return self

    def _hold(self, parameters: DomainPayload | None, event: Event) -> None:
        if parameters is not None:
            self._parameters = parameters, event.sequence

    def _score(self, total: float, candidate_id: str) -> None:
        """Higher is better; of equals the older birth, and of twins the elder."""
        order, birth = self._births.get(candidate_id, (0, 0))
        rank = (-total, birth, order)
        if self._best is None or rank < self._best[0]:
            self._best = rank, candidate_id

    def view(self) -> RunView | None:
        """What there is to say; nothing before the first event."""
        if self._first is None or self._last is None:
            return None
        return RunView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            status=self._status,
            config=self._config,
            started_at=self._first.occurred_at,
            last_event_at=self._last.occurred_at,
            head=Head(sequence=self._last.sequence, hash=self._last.hash),
            conductor=self._took_over.conductor if self._took_over else None,
            epoch=self._took_over.epoch if self._took_over else None,
            events_by_type=dict(self._counts.most_common()),
            operations_in_flight=tuple(self._in_flight),
            energy_spent=self._energy,
            best_candidate_id=self._best[1] if self._best else None,
            best_fitness=-self._best[0][0] if self._best else None,
            champion_id=first_champion(self._champions.by_niche, self._config.all_niches if self._config else ()),
            parameters=self._parameters[0],
            parameters_since=self._parameters[1],
            champions=dict(self._champions.by_niche),
            failures=self._failed.messages(5),
        )

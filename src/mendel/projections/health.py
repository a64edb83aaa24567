"""How a run is doing right now: what is in flight, what is used up, and whether anybody conducts it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Self

from pydantic import AwareDatetime

from mendel.contracts.base import Contract, Count
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.energy import EnergySpent
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import (
    Operation,
    OperationCompleted,
    OperationFailed,
    OperationKind,
    OperationStarted,
)
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import RUN_STATUS_AFTER, CapName, CommandAccepted, ConductorTookOver, RunConfigured
from mendel.contracts.statuses import CandidateStatus, GenomeStatus, RunStatus
from mendel.projections.current_state import GONE, candidate_statuses, genome_statuses

HEARTBEAT_MS: Final = 5_000
"""How often the conductor of a run lets hear of itself."""

STALLED_AFTER: Final = timedelta(milliseconds=3 * HEARTBEAT_MS)

_REFUSED: Final = frozenset({CandidateStatus.REJECTED, CandidateStatus.INVALID})
_CONDUCTED: Final = frozenset({RunStatus.RUNNING, RunStatus.COMPLETING, RunStatus.STOPPING})


class OperationInFlight(Contract):
    """An operation whose latest marker has no completion yet."""

    id: str
    step: str
    kind: OperationKind
    subject_ids: tuple[str, ...]
    attempt: Count
    started_at: AwareDatetime


class LastEvent(Contract):
    """The event that the view was built through."""

    type: str
    sequence: Count
    occurred_at: AwareDatetime


class CapUse(Contract):
    """How much of a cap is gone. Before the run is configured there is no limit to name."""

    limit: Count | None
    used: Count


class EnergyUse(Contract):
    """Energy charged, and energy held back for what is in flight."""

    budget: Count | None
    spent: Count
    reserved: Count


class HealthView(Contract):
    """How a run is doing after the event ``sequence_through``; ``epochs`` counts the takings-over."""

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    generation: Count | None
    in_flight: tuple[OperationInFlight, ...]
    last_event: LastEvent
    last_event_at: AwareDatetime
    caps: Mapping[CapName, CapUse]
    energy: EnergyUse
    conductor: str | None
    epoch: Count | None
    epochs: Count


def stalled(view: HealthView, now: datetime) -> bool:
    """Whether the run should be conducted and has not been heard of for more than three heartbeats."""
    return view.status in _CONDUCTED and now - view.last_event_at > STALLED_AFTER


def elapsed_ms(start: datetime, end: datetime) -> int:
    """Whole milliseconds from ``start`` to ``end``; none where the clock went back."""
    return max(0, (end - start) // timedelta(milliseconds=1))


class _Amounts(NamedTuple):
    """What of a usage is capped."""

    tool_calls: int = 0
    tokens: int = 0
    cost_microusd: int = 0

    @classmethod
    def of(cls, usage: Usage) -> Self:
        return cls(usage.tool_calls, usage.tokens_in + usage.tokens_out, usage.cost_microusd)

    def plus(self, more: _Amounts) -> _Amounts:
        return _Amounts(*(mine + other for mine, other in zip(self, more, strict=True)))

    def minus(self, less: _Amounts) -> _Amounts:
        return _Amounts(*(mine - other for mine, other in zip(self, less, strict=True)))


class _Held(NamedTuple):
    """A marker without completion, and what its allowance holds back."""

    row: OperationInFlight
    allowance: _Amounts
    energy: int


class _Population:
    """Who lives: who was born, and neither failed, nor was culled, nor is spent with every candidate refused."""

    def __init__(self) -> None:
        self.living: set[str] = set()
        self.deepest = 0
        self.expressed_by: dict[str, str] = {}
        self._spent: set[str] = set()
        self._hopes: defaultdict[str, set[str]] = defaultdict(set)

    def take(self, event: Event) -> None:
        match event.payload:
            case GenomeSpawned(genome=genome):
                self.living.add(genome.id)
                self.deepest = max(self.deepest, genome.depth)
            case CandidateCreated(candidate=candidate):
                self.expressed_by[candidate.id] = candidate.genome_id
                self._hopes[candidate.genome_id].add(candidate.id)
        for genome_id, genome_status in genome_statuses(event).items():
            self._genome_is(genome_id, genome_status)
        for candidate_id, candidate_status in candidate_statuses(event).items():
            if candidate_status in _REFUSED and candidate_id in self.expressed_by:
                self._refused(candidate_id, self.expressed_by[candidate_id])

    def _genome_is(self, genome_id: str, status: GenomeStatus) -> None:
        if status is GenomeStatus.SPENT:
            self._spent.add(genome_id)
        if status in GONE or (status is GenomeStatus.SPENT and not self._hopes[genome_id]):
            self.living.discard(genome_id)

    def _refused(self, candidate_id: str, genome_id: str) -> None:
        self._hopes[genome_id].discard(candidate_id)
        if genome_id in self._spent and not self._hopes[genome_id]:
            self.living.discard(genome_id)


def _lowered(caps: RunCaps, wishes: object) -> RunCaps:
    """The caps after a command that sets some; nothing raises one (rule 1)."""
    asked = wishes if isinstance(wishes, dict) else {}
    fits = {name: wish for name in RunCaps.model_fields if isinstance(wish := asked.get(name), int) and wish > 0}
    return caps.model_copy(update={name: min(wish, getattr(caps, name)) for name, wish in fits.items()})


class HealthFold:
    """Folds events into a ``HealthView``; feed it every event of one run in order.

    An attempt counts at its allowance from its marker on. Its completion puts what it measured in the place of that; an
    attempt that a takeover started again was never measured and stays counted at its allowance. Energy is charged for
    success only, so a repeated attempt holds its reservation once.
    """

    def __init__(self) -> None:
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._limits: RunCaps | None = None
        self._generation: int | None = None
        self._generations: set[int] = set()
        self._population = _Population()
        self._in_flight: dict[str, _Held] = {}
        self._used = _Amounts()
        self._spent = 0
        self._reserved = 0
        self._took_over: ConductorTookOver | None = None
        self._epochs = 0
        self._epoch_began: datetime | None = None
        self._earlier_epochs_ms = 0

    def take(self, event: Event) -> Self:
        """Fold one event."""
        if isinstance(event.payload, ConductorTookOver):
            self._begin_epoch(event.payload, event.occurred_at)
        self._last = event
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._population.take(event)
        self._take_run(event.payload)
        self._take_operation(event)
        return self

    def _begin_epoch(self, took_over: ConductorTookOver, now: datetime) -> None:
        self._earlier_epochs_ms += self._epoch_ms()
        self._epoch_began = now
        self._took_over = took_over
        self._epochs += 1

    def _epoch_ms(self) -> int:
        if self._epoch_began is None or self._last is None:
            return 0
        return elapsed_ms(self._epoch_began, self._last.occurred_at)

    def _take_run(self, payload: Payload) -> None:
        match payload:
            case RunConfigured(config=config):
                self._limits = config.caps
            case CommandAccepted(kind=CommandKind.SET_PARAMETERS, payload=parameters) if self._limits:
                self._limits = _lowered(self._limits, parameters.get("caps"))
            case GenerationStarted(index=index):
                self._generation = index
                self._generations.add(index)

    def _take_operation(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=operation, attempt=attempt):
                self._start(operation, attempt, event.occurred_at)
            case OperationCompleted(operation_id=ended, usage=usage) | OperationFailed(operation_id=ended, usage=usage):
                self._end(ended, usage)
            case EnergySpent(actual=actual):
                self._spent += actual

    def _start(self, operation: Operation, attempt: int, now: datetime) -> None:
        if before := self._in_flight.get(operation.id):
            self._reserved -= before.energy
        row = OperationInFlight(
            id=operation.id,
            step=operation.step,
            kind=operation.kind,
            subject_ids=operation.subject_ids,
            attempt=attempt,
            started_at=now,
        )
        held = _Held(row, _Amounts.of(operation.allowance), operation.reserved_energy)
        self._in_flight[operation.id] = held
        self._used = self._used.plus(held.allowance)
        self._reserved += held.energy

    def _end(self, operation_id: str, usage: Usage) -> None:
        self._used = self._used.plus(_Amounts.of(usage))
        if held := self._in_flight.pop(operation_id, None):
            self._used = self._used.minus(held.allowance)
            self._reserved -= held.energy

    def view(self) -> HealthView | None:
        """What there is to say; nothing before the first event."""
        last = self._last
        if last is None:
            return None
        budget = self._limits.energy_budget if self._limits else None
        return HealthView(
            run_id=last.run_id,
            sequence_through=last.sequence,
            status=self._status,
            generation=self._generation,
            in_flight=tuple(held.row for held in self._in_flight.values()),
            last_event=LastEvent(type=last.type, sequence=last.sequence, occurred_at=last.occurred_at),
            last_event_at=last.occurred_at,
            caps=self._caps(),
            energy=EnergyUse(budget=budget, spent=self._spent, reserved=self._reserved),
            conductor=self._took_over.conductor if self._took_over else None,
            epoch=self._took_over.epoch if self._took_over else None,
            epochs=self._epochs,
        )

    def _births(self) -> int:
        """Genomes that are being made: they count from the start."""
        return sum(held.row.kind == "vary" for held in self._in_flight.values())

    def _caps(self) -> dict[CapName, CapUse]:
        used: dict[CapName, int] = {
            "max_population": len(self._population.living) + self._births(),
            "max_generations": len(self._generations),
            "max_candidates": len(self._population.expressed_by),
            "energy_budget": self._spent + self._reserved,
            "max_spawn_depth": self._population.deepest,
            "max_tool_calls": self._used.tool_calls,
            "max_tokens": self._used.tokens,
            "max_cost_microusd": self._used.cost_microusd,
            "wall_clock_ms": self._earlier_epochs_ms + self._epoch_ms(),
        }
        return {name: CapUse(limit=getattr(self._limits, name, None), used=amount) for name, amount in used.items()}

"""A run at a glance: its row among the read models, and the view that the command line shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, Self

from pydantic import AwareDatetime, Field, JsonValue

from mendel.contracts.base import Contract, Count
from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    CommandAccepted,
    ConductorTookOver,
    RunCancelled,
    RunCapReached,
    RunCompleted,
    RunConfigured,
    RunFailed,
    RunStopped,
)
from mendel.contracts.log_views import Head
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Values
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import RunStatus
from mendel.projections.current_state import Champions, first_champion
from mendel.projections.failed_steps import ClosedNiche, EndlessRoutes, FailedSteps

_MOST_IMPROVEMENTS: Final = 64
_COUNTED = ("events", "scored", "candidates", "living", "energy_spent", "tokens", "cost_microusd", "model_calls")


class RunRow:
    """Takes the run's events in order; everything that it goes by stands in the row."""

    def __init__(self, values: Values | None = None) -> None:
        self._values: dict[str, JsonValue] = dict(values) if values is not None else dict.fromkeys(_COUNTED, 0)
        self._told: dict[str, JsonValue] = {} if values is not None else dict(self._values)

    def take(self, event: Event, births: Mapping[str, int], living: int, settled: Values) -> Values:
        """What changes in the row; ``births`` are those of the candidates so far, ``living`` how many genomes live.

        ``settled`` is what was used by operations that are not in flight.
        """
        if isinstance(event.payload, ConductorTookOver):
            self._begin_epoch(event, event.payload)
        self._add("events", 1)
        self._set(last_event_at=event.occurred_at.isoformat(), last_type=event.type)
        if "started_at" not in self._values:
            self._set(started_at=event.occurred_at.isoformat())
        status = RUN_STATUS_AFTER.get(event.type)
        if status is not None:
            self._set(status=str(status), ended=event.sequence if status.terminal else None)
        self._update(candidates=len(births), living=living, settled=dict(settled))
        self._count(event.payload)
        self._note(event.payload)
        self._note_parameters(event)
        if isinstance(event.payload, FitnessScored):
            self._rank(event.payload.score, births)
        told, self._told = self._told, {}
        return told

    def _begin_epoch(self, event: Event, took_over: ConductorTookOver) -> None:
        """Note who took over, when, and how long the run had been conducted before: so it can be told of any moment."""
        before = self._values.get("conducting")
        known = before if isinstance(before, list) else []
        earlier, began = conducted_ms(self._values), event.occurred_at.isoformat()
        told: list[JsonValue] = [event.sequence, began, earlier, took_over.conductor]
        self._set(conductor=took_over.conductor, epoch=took_over.epoch, conducting=[*known, told])

    def _count(self, payload: Payload) -> None:
        match payload:
            case FitnessScored():
                self._add("scored", 1)
            case GenomeSpawned(genome=genome):
                self._update(deepest=max(genome.depth, whole(self._values.get("deepest", 0))))
            case EnergySpent(actual=actual):
                self._add("energy_spent", actual)
            case LlmCallTelemetry(provider=provider) | ProviderCallFailed(provider=provider):
                self._called(provider)

    def _note(self, payload: Payload) -> None:
        match payload:
            case RunConfigured(config=config):
                caps = config.caps.model_dump(mode="json")
                self._set(domain=config.domain, problem=config.problem, rng_seed=config.rng_seed, caps=caps)
                self._set(model_profile=config.model_profile, niches=list(config.all_niches))
            case RunCapReached(cap=cap, limit=limit, used=used):
                reached = self._values.get("caps_reached")
                before = reached if isinstance(reached, list) else []
                self._set(caps_reached=[*before, {"cap": cap, "limit": limit, "used": used}])
            case GenerationStarted(index=index):
                self._set(generation=index)
            case AdoptionMade() | AdoptionRevoked():
                self._crown(payload)
            case RunCompleted(final_candidate_id=final):
                self._set(final_candidate_id=final)
            case RunStopped(reason=reason) | RunCancelled(reason=reason) | RunFailed(reason=reason):
                self._set(reason=reason)

    def _note_parameters(self, event: Event) -> None:
        """What holds from this event on: slots, caps, and the domain's parameters with the event that set them."""
        match event.payload:
            case RunConfigured(config=config):
                self._set(slots=config.slots)
                parameters = config.parameters
            case CommandAccepted(kind=CommandKind.SET_PARAMETERS, payload=wanted, parameters=parameters):
                self._lower(wanted.get("caps"))
                if isinstance(slots := wanted.get("slots"), int):
                    self._set(slots=slots)
            case _:
                return
        if parameters is not None:
            self._set(parameters=parameters.model_dump(mode="json"), parameters_since=event.sequence)

    def _crown(self, payload: Payload) -> None:
        """The champions by niche; of several, ``champion_id`` is that of the first niche that has one."""
        before, niches = self._values.get("champions"), self._values.get("niches")
        champions = Champions()
        champions.by_niche = {name: str(who) for name, who in before.items()} if isinstance(before, dict) else {}
        champions.take(payload)
        names = map(str, niches) if isinstance(niches, list) else ()
        told: dict[str, JsonValue] = dict(champions.by_niche)
        self._set(champions=told, champion_id=first_champion(champions.by_niche, names))

    def _lower(self, wishes: object) -> None:
        """The limits after a command that sets some; nothing raises one (rule 1)."""
        limits = limits_of(self._values)
        if limits is None or not isinstance(wishes, dict):
            return
        fits = {name: wish for name in RunCaps.model_fields if isinstance(wish := wishes.get(name), int) and wish > 0}
        lowered: dict[str, JsonValue] = {name: min(wish, limits[name]) for name, wish in fits.items()}
        self._set(limits={**limits, **lowered})

    def _called(self, provider: ProviderMeta | None) -> None:
        self._add("model_calls", 1)
        if provider is not None:
            self._add("tokens", (provider.tokens_in or 0) + (provider.tokens_out or 0))
            self._add("cost_microusd", provider.cost_microusd or 0)

    def _rank(self, score: FitnessScore, births: Mapping[str, int]) -> None:
        """Higher is better; of equals the older birth."""
        best, birth = self._values.get("best_fitness"), births.get(score.candidate_id, 0)
        if isinstance(best, int | float) and (-best, whole(self._values["best_birth"])) <= (-score.total, birth):
            return
        self._set(best_fitness=score.total, best_candidate_id=score.candidate_id, best_birth=birth)
        if best != score.total:
            self._improve(score.total)

    def _improve(self, fitness: float) -> None:
        """Remember how the best came about, as (scored so far, fitness); of many, every second one is let go."""
        before = self._values.get("improvements")
        found: list[JsonValue] = [*(before if isinstance(before, list) else []), [self._values["scored"], fitness]]
        thinned = [*found[:-1:2], found[-1]] if len(found) > _MOST_IMPROVEMENTS else found
        self._set(improvements=thinned)

    def _update(self, **values: JsonValue) -> None:
        """Set what is not so yet."""
        self._set(**{name: value for name, value in values.items() if self._values.get(name) != value})

    def _add(self, name: str, amount: int) -> None:
        if amount:
            self._set(**{name: whole(self._values[name]) + amount})

    def _set(self, **values: JsonValue) -> None:
        self._values.update(values)
        self._told.update(values)


def limits_of(run: Values) -> dict[str, int] | None:
    """The caps of a run as they are in force; none before it is configured."""
    limits = run.get("limits") or run.get("caps")
    return {name: whole(limit) for name, limit in limits.items()} if isinstance(limits, dict) else None


def conducted_ms(run: Values) -> int:
    """How long somebody has conducted the run, up to its last event; a clock that goes back gives no time back."""
    told, last = run.get("conducting"), run.get("last_event_at")
    if not isinstance(told, list) or not isinstance(last, str):
        return 0
    _, began, earlier, _ = told[-1] if isinstance(told[-1], list) else (None, last, 0, None)
    return whole(earlier) + elapsed_ms(datetime.fromisoformat(str(began)), datetime.fromisoformat(last))


def epochs_of(run: Values) -> int:
    """How often somebody took the run over."""
    told = run.get("conducting")
    return len(told) if isinstance(told, list) else 0


def elapsed_ms(start: datetime, end: datetime) -> int:
    """Whole milliseconds from ``start`` to ``end``; none where the clock went back."""
    return max(0, (end - start) // timedelta(milliseconds=1))


def whole(value: JsonValue) -> int:
    """A number of a row.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


# A run at a glance: a pure fold over its events.


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
    closed_niches: tuple[ClosedNiche, ...] = Field(
        default=(), description="niches that make no more challenges, since the last ones failed"
    )
    endless_routes: EndlessRoutes | None = Field(default=None, description="candidates whose route had no end")


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
            closed_niches=self._failed.closed_niches(),
            endless_routes=self._failed.endless_routes(),
        )

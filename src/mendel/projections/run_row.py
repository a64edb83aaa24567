"""The row of a run among the read models: what is told of it in a list, after each of its events."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from pydantic import JsonValue

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.events.candidate import FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeSpawned
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
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Values
from mendel.contracts.scoring import FitnessScore
from mendel.projections.current_state import Champions, first_champion

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
            case CommandAccepted(kind=CommandKind.SET_PARAMETERS, payload=parameters):
                self._lower(parameters.get("caps"))
            case GenerationStarted(index=index):
                self._set(generation=index)
            case AdoptionMade() | AdoptionRevoked():
                self._crown(payload)
            case RunCompleted(final_candidate_id=final):
                self._set(final_candidate_id=final)
            case RunStopped(reason=reason) | RunCancelled(reason=reason) | RunFailed(reason=reason):
                self._set(reason=reason)

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

"""Events as changes of rows: the common interpretation of a log for the read models, the page and `mendel watch`.

The changes follow from the event and little else: the memory of ``TableFold`` can be restored from its rows, so an
interrupted fold continues from them, and one more event costs the same however long the run is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from pydantic import JsonValue

from mendel.contracts.caps import RunCaps
from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateCreated, CandidateInvalidated, CandidateRejected, FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.generation import GenerationStarted
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    CommandAccepted,
    CommandRefused,
    ConductorTookOver,
    RunCancelled,
    RunCapReached,
    RunCompleted,
    RunConfigured,
    RunFailed,
    RunStopped,
)
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Change, Row, TableName, Values
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.step_words import NO_WORDS, Phase, StepRole, Wording, phase_alias, role_of
from mendel.contracts.verdicts import Interval, Verdict
from mendel.projections.current_state import (
    GENERATION_STATUS_AFTER,
    Champions,
    Population,
    candidate_statuses,
    first_champion,
    generation_figures,
    genome_statuses,
)

if TYPE_CHECKING:
    from mendel.guard.policy import Band, Demand


_TABLE_OF: Final[Mapping[StepRole, TableName]] = {
    "check": "check_results",
    "review": "critic_reviews",
    "novelty": "novelty_scores",
    "audit": "check_results",
}
"""The tables for ended examinations, in addition to the table of operations."""
_LONGEST_REASON: Final = 2_000

Rows = Mapping[TableName, Iterable[Row]]


class TableFold:
    """Folds the events of one run into changes of rows; takes every event in order.

    ``wording`` defines which steps review and which check, and the names under which their results are stored.
    """

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        self._wording = wording
        self._run = RunRow()
        self._births: dict[str, int] = {}
        self._population = Population()
        self._operations: dict[str, _InFlight] = {}
        self._settled: Counter[str] = Counter()  # usage of operations that are not in flight

    @classmethod
    def restored(cls, rows: Rows, wording: Wording = NO_WORDS) -> Self:
        """Restore a fold that was interrupted after it had made these rows."""
        fold = cls(wording)
        for row in rows["runs"]:
            fold._run = RunRow(row.values)
            fold._settled.update(amounts_in(row.values["settled"]))
        for row in rows["candidates"]:
            if "birth" in row.values:
                fold._births[row.key] = whole(row.values["birth"])
        fold._population = Population.restored(rows["genomes"], rows["candidates"])
        for row in rows["operations"]:
            if in_flight(row.values):
                fold._operations[row.key] = _InFlight.of(row.values)
        return fold

    def take(self, event: Event) -> tuple[Change, ...]:
        """Return the changes made by the event; the change of the run's own row is last."""
        changes = (
            *_run_status(event),
            *_statuses(event),
            *_generations(event),
            *self._organisms(event),
            *self._operated(event),
            *_gate(event),
            *_proposals(event),
        )
        self._population.take(event)
        told = self._run.take(event, self._births, len(self._population.living), self._settled)
        return (*changes, Change("runs", event.run_id, told))

    # --- organisms -------------------------------------------------------------------------------------------

    def _organisms(self, event: Event) -> Iterator[Change]:
        match event.payload:
            case GenomeSpawned():
                yield from _spawned(event.payload, event)
            case GenomeMutated(child_id=child, parents=parents, operator=operator):
                yield from _varied(child, parents, operator, event)
            case GenomeFused(child_id=child, parents=parents, mode=mode):
                yield from _varied(child, parents, mode, event)
            case CandidateCreated(candidate=candidate):
                self._births[candidate.id] = candidate.birth
                values: Values = {
                    "genome_id": candidate.genome_id,
                    "generation_id": event.generation_id,
                    "birth": candidate.birth,
                    "summary": candidate.summary,
                    "event_id": event.id,
                }
                yield Change("candidates", candidate.id, values)
                yield _edge("expressed", candidate.genome_id, candidate.id)
            case FitnessScored(score=score):
                yield from _scored(score, event)
            case CandidateRejected(reasons=reasons) if event.candidate_id is not None:
                told = "; ".join(f"{each.code}: {each.message}" for each in reasons)
                yield Change("candidates", event.candidate_id, {"reason": told[:_LONGEST_REASON]})
            case CandidateInvalidated(reason=reason) if event.candidate_id is not None:
                yield Change("candidates", event.candidate_id, {"reason": reason[:_LONGEST_REASON]})

    # --- operations ------------------------------------------------------------------------------------------

    def _operated(self, event: Event) -> Iterator[Change]:
        match event.payload:
            case OperationStarted(operation=operation, attempt=attempt):
                values: Values = {
                    "step": operation.step,
                    "kind": operation.kind,
                    "subject_ids": list(operation.subject_ids),
                    "operator": operation.operator,
                    "parents": list(operation.parents),
                    "why": operation.why,
                    "attempt": attempt,
                    "started": event.sequence,
                    "started_at": event.occurred_at.isoformat(),
                    "ended": None,
                    "allowance": _capped(operation.allowance) if operation.parent is None else {},
                    "reserved": operation.reserved_energy,
                }
                if before := self._operations.get(operation.id):
                    self._settled.update(before.allowance)  # a retry: the lost attempt counts at its worst
                self._operations[operation.id] = _InFlight.of(values)
                yield Change("operations", operation.id, values)
            case OperationCompleted(operation_id=ended, degraded=degraded, usage=usage):
                phase: Phase = "degraded" if degraded else "completed"
                yield from self._ended(ended, phase, event, usage, {})
            case OperationFailed(operation_id=ended, usage=usage, error_code=code, message=message):
                told: Values = {"error": code, "message": message[:_LONGEST_REASON]}
                yield from self._ended(ended, "failed", event, usage, told)
            case EnergySpent(actual=actual):
                yield from _charged(event, actual)
            case LlmCallTelemetry(provider=provider, role=role, validation=validation):
                yield _called(event, role, provider, validation)
            case ProviderCallFailed(provider=provider, role=role, reason=reason):
                yield _called(event, role, provider, reason)

    def _ended(self, operation_id: str, phase: Phase, event: Event, usage: Usage, more: Values) -> Iterator[Change]:
        step, kind, subject, _ = self._operations.pop(operation_id, _NEVER_STARTED)
        if kind != "child":  # a child's usage is contained in its parent's
            self._settled.update(_capped(usage))
        end: dict[str, JsonValue] = {
            "outcome": phase,
            "ended": event.sequence,
            "ended_at": event.occurred_at.isoformat(),
            "usage": _amounts(usage),
            **more,
        }
        yield Change("operations", operation_id, end)
        role = role_of(self._wording, step, kind)
        if role is not None and subject is not None:
            name = phase_alias(self._wording, step, phase) or step
            told: Values = {"candidate_id": subject, "step": step, "name": name, "outcome": phase, "event_id": event.id}
            yield Change(_TABLE_OF[role], operation_id, told)


def _charged(event: Event, energy: int) -> Iterator[Change]:
    """Yield the change that charges energy to its operation, or for a founder to its genome."""
    told: Values = {"energy": energy, "charged": event.sequence}
    if event.operation_id is not None:
        yield Change("operations", event.operation_id, told)
    elif event.genome_id is not None:
        yield Change("genomes", event.genome_id, told)


def _called(event: Event, role: str, provider: ProviderMeta | None, outcome: str) -> Change:
    told = provider.model_dump(mode="json") if provider is not None else {}
    said: Values = {"role": role, "outcome": outcome, "operation_id": event.operation_id, "trace_id": event.trace_id}
    return Change("model_calls", event.id, {**told, **said})


class _InFlight(NamedTuple):
    """An operation in flight; ``allowance`` is the amount that it reserves from the caps."""

    step: str
    kind: str
    subject: str | None
    allowance: Counter[str]

    @classmethod
    def of(cls, values: Values) -> Self:
        subjects = values["subject_ids"]
        subject = str(subjects[0]) if isinstance(subjects, list) and subjects else None
        return cls(str(values["step"]), str(values["kind"]), subject, amounts_in(values["allowance"]))


_NEVER_STARTED: Final = _InFlight("", "", None, Counter())  # for a completion without its marker


def in_flight(operation: Values) -> bool:
    """Return whether the row of an operation shows a start and no end."""
    return "started" in operation and operation.get("ended") is None


def amounts_in(value: JsonValue) -> Counter[str]:
    """Return the amounts in a row's value, by name."""
    return Counter({name: whole(amount) for name, amount in value.items()}) if isinstance(value, dict) else Counter()


def _capped(usage: Usage) -> dict[str, JsonValue]:
    """Return the non-zero amounts of a usage that have caps."""
    amounts = {
        "tool_calls": usage.tool_calls,
        "tokens": usage.tokens_in + usage.tokens_out,
        "cost_microusd": usage.cost_microusd,
        "evaluations": usage.evaluations,
    }
    return {name: amount for name, amount in amounts.items() if amount}


def _amounts(usage: Usage) -> dict[str, JsonValue]:
    """Return the non-zero amounts of a usage."""
    return {name: amount for name, amount in usage if amount}


def _proposals(event: Event) -> Iterator[Change]:
    """Yield the changes of proposals from outside."""
    match event.payload:
        case CommandAccepted(command_id=name, kind=CommandKind.PROPOSE, position=position):
            yield Change("proposals", name, {"status": "accepted", "position": position, "answered": event.sequence})
        case CommandRefused(command_id=name, kind=CommandKind.PROPOSE, position=position, reason=reason):
            told: Values = {"status": "refused", "reason": reason[:_LONGEST_REASON], "position": position}
            yield Change("proposals", name, {**told, "answered": event.sequence})
        case GenomeSpawned(genome=genome) if event.correlation_id is not None:
            yield Change("proposals", event.correlation_id, {"genome_id": genome.id})


def _run_status(event: Event) -> Iterator[Change]:
    status = RUN_STATUS_AFTER.get(event.type)
    if status is not None:
        yield _transition(event, "runs", event.run_id, str(status), at=event.occurred_at.isoformat())


def _statuses(event: Event) -> Iterator[Change]:
    """Yield the changes of states of genomes and candidates, each with a row for the transition."""
    changed: tuple[tuple[TableName, Mapping[str, str]], ...] = (
        ("genomes", genome_statuses(event)),
        ("candidates", candidate_statuses(event)),
    )
    for table, statuses in changed:
        for subject, status in statuses.items():
            yield Change(table, subject, {"status": str(status)})
            yield _transition(event, table, subject, str(status))


def _transition(event: Event, table: TableName, subject: str, status: str, *, at: str | None = None) -> Change:
    values: dict[str, JsonValue] = {"table": table, "subject": subject, "status": status}
    return Change("transitions", f"{event.sequence}:{subject}", {**values, "at": at} if at is not None else values)


def _generations(event: Event) -> Iterator[Change]:
    status = GENERATION_STATUS_AFTER.get(event.type)
    if status is not None and event.generation_id is not None:
        figures = generation_figures(event.payload)
        yield Change("generations", event.generation_id, {"status": str(status), **figures})
        yield _transition(event, "generations", event.generation_id, str(status), at=event.occurred_at.isoformat())


def _spawned(payload: GenomeSpawned, event: Event) -> Iterator[Change]:
    genome = payload.genome
    values: Values = {
        "birth": genome.birth,
        "depth": genome.depth,
        "parents": list(genome.parents),
        "generation_id": event.generation_id,
        "maker": event.operation_id,
        "event_id": event.id,
    }
    yield Change("genomes", genome.id, values)
    yield from _descended(genome.id, genome.parents, None)
    if event.generation_id is not None:
        yield _edge("member_of", genome.id, event.generation_id)
    if genome.looks is not None:
        yield Change("embeddings", genome.id, genome.looks.model_dump(mode="json"))


def _varied(child: str, parents: tuple[str, ...], operator: str, event: Event) -> Iterator[Change]:
    yield Change("genomes", child, {"operator": operator, "varied": event.sequence})
    yield from _descended(child, parents, operator)


def _descended(child: str, parents: tuple[str, ...], operator: str | None) -> Iterator[Change]:
    for parent in parents:
        yield _edge("parent_of", parent, child, operator)


def _edge(kind: str, source: str, target: str, label: str | None = None) -> Change:
    values: dict[str, JsonValue] = {"kind": kind, "source": source, "target": target}
    return Change("lineage_edges", f"{kind}:{source}>{target}", {**values, "label": label} if label else values)


def _scored(score: FitnessScore, event: Event) -> Iterator[Change]:
    told: Values = {
        **score.model_dump(mode="json", include={"candidate_id", "total", "components", "policy_version"}),
        "descriptor": dict(score.descriptor),
        "estimated": list(score.estimated),
        "absent": list(score.absent),
        "event_id": event.id,
    }
    yield Change("fitness_scores", f"{score.candidate_id}:{score.policy_version}", told)
    yield Change("candidates", score.candidate_id, {"fitness": score.total})


def _gate(event: Event) -> Iterator[Change]:
    match event.payload:
        case GateVerdict(verdict=verdict):
            told = verdict.model_dump(mode="json", include={"candidate_id", "decision", "mode", "n"})
            drawn: JsonValue = [each.model_dump(mode="json") for each in gate_intervals(verdict)]
            challenge = verdict.challenge.model_dump(mode="json", include={"niche", "k", "alpha"})
            yield Change("verdicts", event.id, {**told, **challenge, "intervals": drawn, "what": "verdict"})
        case AdoptionMade(candidate_id=adopted, niche=niche):
            yield Change("verdicts", event.id, {"what": "adopted", "candidate_id": adopted, "niche": niche})
        case AdoptionConfirmed(candidate_id=adopted, niche=niche):
            yield Change("verdicts", event.id, {"what": "confirmed", "candidate_id": adopted, "niche": niche})
        case AdoptionRevoked(candidate_id=revoked, niche=niche, reason=reason, restores=restores):
            told = {"what": "revoked", "candidate_id": revoked, "niche": niche, "restores": restores}
            yield Change("verdicts", event.id, {**told, "reason": reason[:_LONGEST_REASON]})


# The row of the run itself.


_MOST_IMPROVEMENTS: Final = 64
_COUNTED = ("events", "scored", "candidates", "living", "energy_spent", "tokens", "cost_microusd", "model_calls")


class RunRow:
    """The run's own row; takes every event in order, and can be restored from the row alone."""

    def __init__(self, values: Values | None = None) -> None:
        self._values: dict[str, JsonValue] = dict(values) if values is not None else dict.fromkeys(_COUNTED, 0)
        self._told: dict[str, JsonValue] = {} if values is not None else dict(self._values)

    def take(self, event: Event, births: Mapping[str, int], living: int, settled: Values) -> Values:
        """Return the changes of the row; ``births`` are the births of candidates, ``living`` counts living genomes.

        ``settled`` is the usage of operations that are not in flight.
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
        """Note a takeover with its time and the conducted time before it, so that both are known for any moment."""
        before = self._values.get("conducting")
        known = before if isinstance(before, list) else []
        earlier, began = conducted_ms(self._values), event.occurred_at.isoformat()
        told: list[JsonValue] = [event.sequence, began, earlier, took_over.conductor]  # one list per epoch
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
        """Note slots, caps and the domain's parameters, which are valid from this event on."""
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
        """Note the champions by niche; ``champion_id`` is the champion of the first niche that has one."""
        before, niches = self._values.get("champions"), self._values.get("niches")
        champions = Champions()
        champions.by_niche = {name: str(who) for name, who in before.items()} if isinstance(before, dict) else {}
        champions.take(payload)
        names = map(str, niches) if isinstance(niches, list) else ()
        told: dict[str, JsonValue] = dict(champions.by_niche)
        self._set(champions=told, champion_id=first_champion(champions.by_niche, names))

    def _lower(self, wishes: object) -> None:
        """Note the limits after a command that sets some; a command cannot raise a limit (rule 1)."""
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
        """Note the best fitness: higher is better, and of equals the older birth."""
        best, birth = self._values.get("best_fitness"), births.get(score.candidate_id, 0)
        if isinstance(best, int | float) and (-best, whole(self._values["best_birth"])) <= (-score.total, birth):
            return
        self._set(best_fitness=score.total, best_candidate_id=score.candidate_id, best_birth=birth)
        if best != score.total:
            self._improve(score.total)

    def _improve(self, fitness: float) -> None:
        """Add an improvement as (scored so far, fitness); if there are too many, drop every second one."""
        before = self._values.get("improvements")
        found: list[JsonValue] = [*(before if isinstance(before, list) else []), [self._values["scored"], fitness]]
        thinned = [*found[:-1:2], found[-1]] if len(found) > _MOST_IMPROVEMENTS else found
        self._set(improvements=thinned)

    def _update(self, **values: JsonValue) -> None:
        """Set only the values that differ."""
        self._set(**{name: value for name, value in values.items() if self._values.get(name) != value})

    def _add(self, name: str, amount: int) -> None:
        if amount:
            self._set(**{name: whole(self._values[name]) + amount})

    def _set(self, **values: JsonValue) -> None:
        self._values.update(values)
        self._told.update(values)


def limits_of(run: Values) -> dict[str, int] | None:
    """Return the caps in force; None before the run is configured."""
    limits = run.get("limits") or run.get("caps")
    return {name: whole(limit) for name, limit in limits.items()} if isinstance(limits, dict) else None


def conducted_ms(run: Values) -> int:
    """Return how many milliseconds the run has had a conductor, up to its last event; a clock set back counts as 0."""
    told, last = run.get("conducting"), run.get("last_event_at")
    if not isinstance(told, list) or not isinstance(last, str):
        return 0
    _, began, earlier, _ = told[-1] if isinstance(told[-1], list) else (None, last, 0, None)
    return whole(earlier) + elapsed_ms(datetime.fromisoformat(str(began)), datetime.fromisoformat(last))


def epochs_of(run: Values) -> int:
    """Return how often the run was taken over."""
    told = run.get("conducting")
    return len(told) if isinstance(told, list) else 0


def elapsed_ms(start: datetime, end: datetime) -> int:
    """Return the whole milliseconds from ``start`` to ``end``; 0 if the clock was set back."""
    return max(0, (end - start) // timedelta(milliseconds=1))


def whole(value: JsonValue) -> int:
    """Return a row's value as a whole number.

    Raises:
        TypeError: it is not one.
    """
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is not a whole number")
    return value


# The intervals of a verdict, each with the bounds that its policy requires.


class GateInterval(Interval):
    """An interval of a verdict, and the bounds that its policy requires; null if a side has no requirement."""

    must_exceed: float | None = None
    must_stay_below: float | None = None


def gate_intervals(verdict: Verdict) -> list[GateInterval]:
    """Return the intervals of a verdict, each with the bounds that its policy requires."""
    from mendel.guard.policy import Demand  # slow to import, and many runs have no verdict

    demand = Demand.read(verdict.policy, verdict.mode)
    return [_placed(each, _band(each.name, verdict, demand)) for each in verdict.intervals]


def _placed(interval: Interval, band: Band) -> GateInterval:
    return GateInterval(**dict(interval), must_exceed=band.low, must_stay_below=band.high)


def _band(name: str, verdict: Verdict, demand: Demand) -> Band:
    """Return the required bounds of an interval; for a metric, the side on which the candidate is better."""
    metric = verdict.metrics.get(name)
    if metric is None or demand.policy is None or demand.policy.kind != "superiority":
        return demand.band(name)
    from mendel.guard.policy import Band

    even = 1.0 if metric.kind == "ratio" else 0.0
    return Band(low=even) if metric.higher_is_better else Band(high=even)

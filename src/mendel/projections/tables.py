"""Events as changes of rows: the one reading of a log that the read models, the page and `mendel watch` share.

What an event changes follows from it and from little else: what ``TableFold`` remembers is what its rows say, so that
one who was stopped goes on from them, and one more event costs the same however long the run is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from pydantic import JsonValue

from mendel.contracts.commands import CommandKind
from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateCreated, CandidateInvalidated, CandidateRejected, FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import RUN_STATUS_AFTER, CommandAccepted, CommandRefused
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Change, Row, TableName, Values
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.contracts.step_words import NO_WORDS, Phase, StepRole, Wording, phase_alias, role_of
from mendel.contracts.verdicts import Interval, Verdict
from mendel.projections.current_state import (
    GENERATION_STATUS_AFTER,
    GONE,
    candidate_statuses,
    generation_figures,
    genome_statuses,
)
from mendel.projections.run_row import RunRow, whole

if TYPE_CHECKING:
    from mendel.guard.policy import Band, Demand


# Who lives: who was born, and neither failed, nor was culled, nor is spent with every candidate refused.


_REFUSED: Final = frozenset({CandidateStatus.REJECTED, CandidateStatus.INVALID})


class Population:
    """The genomes of one run; feed it each event in order. What it goes by stands in the rows."""

    def __init__(self) -> None:
        self.living: set[str] = set()
        self._born: set[str] = set()
        self._statuses: dict[str, str] = {}
        self._genome_of: dict[str, str] = {}
        self._refused: set[str] = set()
        self._hopes: defaultdict[str, set[str]] = defaultdict(set)

    @classmethod
    def restored(cls, genomes: Iterable[Row], candidates: Iterable[Row]) -> Self:
        """That of somebody who has made these rows."""
        found = cls()
        for row in candidates:
            found._candidate_is(row.key, str(row.values.get("status")))
            if "genome_id" in row.values:
                found._expressed(row.key, str(row.values["genome_id"]))
        for row in genomes:
            found._statuses[row.key] = str(row.values.get("status"))
            if "birth" in row.values:
                found._born.add(row.key)
            found._look_at(row.key)
        return found

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case GenomeSpawned(genome=genome):
                self._born.add(genome.id)
                self._look_at(genome.id)
            case CandidateCreated(candidate=candidate):
                self._expressed(candidate.id, candidate.genome_id)
        for genome_id, genome_status in genome_statuses(event).items():
            self._statuses[genome_id] = genome_status
            self._look_at(genome_id)
        for candidate_id, candidate_status in candidate_statuses(event).items():
            self._candidate_is(candidate_id, candidate_status)

    def _expressed(self, candidate_id: str, genome_id: str) -> None:
        self._genome_of[candidate_id] = genome_id
        self._hope(candidate_id, genome_id)

    def _candidate_is(self, candidate_id: str, status: str) -> None:
        (self._refused.add if status in _REFUSED else self._refused.discard)(candidate_id)
        genome_id = self._genome_of.get(candidate_id)
        if genome_id is not None:
            self._hope(candidate_id, genome_id)

    def _hope(self, candidate_id: str, genome_id: str) -> None:
        hopes = self._hopes[genome_id]
        (hopes.discard if candidate_id in self._refused else hopes.add)(candidate_id)
        self._look_at(genome_id)

    def _look_at(self, genome_id: str) -> None:
        status = self._statuses.get(genome_id)
        over = status in GONE or (status == GenomeStatus.SPENT and not self._hopes[genome_id])
        lives = genome_id in self._born and not over
        (self.living.add if lives else self.living.discard)(genome_id)


_TABLE_OF: Final[Mapping[StepRole, TableName]] = {
    "check": "check_results",
    "review": "critic_reviews",
    "novelty": "novelty_scores",
    "audit": "check_results",
}
"""Where the end of an examination stands, beside the operations."""
_LONGEST_REASON: Final = 2_000

Rows = Mapping[TableName, Iterable[Row]]


class TableFold:
    """Folds the events of one run; feed it each of them in order.

    ``wording`` says which steps review and which check, and under which names their ends are kept.
    """

    def __init__(self, wording: Wording = NO_WORDS) -> None:
        self._wording = wording
        self._run = RunRow()
        self._births: dict[str, int] = {}
        self._population = Population()
        self._operations: dict[str, _InFlight] = {}
        self._settled: Counter[str] = Counter()

    @classmethod
    def restored(cls, rows: Rows, wording: Wording = NO_WORDS) -> Self:
        """The fold of somebody who has made these rows and was stopped."""
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
        """What the event changes; the run's own row is last."""
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
                    self._settled.update(before.allowance)
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
        if kind != "child":  # what a child used stands in its parent's usage, too
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
    """Energy stands with the operation that took it; a founder's with its genome."""
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
    """A marker without completion; ``allowance`` is what it holds back of the caps."""

    step: str
    kind: str
    subject: str | None
    allowance: Counter[str]

    @classmethod
    def of(cls, values: Values) -> Self:
        subjects = values["subject_ids"]
        subject = str(subjects[0]) if isinstance(subjects, list) and subjects else None
        return cls(str(values["step"]), str(values["kind"]), subject, amounts_in(values["allowance"]))


_NEVER_STARTED: Final = _InFlight("", "", None, Counter())


def in_flight(operation: Values) -> bool:
    """Whether the row of an operation says that it was begun and has not ended."""
    return "started" in operation and operation.get("ended") is None


def amounts_in(value: JsonValue) -> Counter[str]:
    """Amounts as a row has them, by name."""
    return Counter({name: whole(amount) for name, amount in value.items()}) if isinstance(value, dict) else Counter()


def _capped(usage: Usage) -> dict[str, JsonValue]:
    """What of a usage is capped; what is not used is left out."""
    amounts = {
        "tool_calls": usage.tool_calls,
        "tokens": usage.tokens_in + usage.tokens_out,
        "cost_microusd": usage.cost_microusd,
        "evaluations": usage.evaluations,
    }
    return {name: amount for name, amount in amounts.items() if amount}


def _amounts(usage: Usage) -> dict[str, JsonValue]:
    """What was used; what was not is left out."""
    return {name: amount for name, amount in usage if amount}


def _proposals(event: Event) -> Iterator[Change]:
    """What became of whatever was proposed from outside."""
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
    """Every state that somebody enters, with the event that says so."""
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


# The intervals of a verdict, each with where the policy wants it to lie.


class GateInterval(Interval):
    """An interval of a verdict, and where the policy wants it to lie; null where it asks nothing of that side."""

    must_exceed: float | None = None
    must_stay_below: float | None = None


def gate_intervals(verdict: Verdict) -> list[GateInterval]:
    """The intervals of a verdict, each with where its policy wants it."""
    from mendel.guard.policy import Demand  # the gate is heavy to import, and many who fold events meet no verdict

    demand = Demand.read(verdict.policy, verdict.mode)
    return [_placed(each, _band(each.name, verdict, demand)) for each in verdict.intervals]


def _placed(interval: Interval, band: Band) -> GateInterval:
    return GateInterval(**dict(interval), must_exceed=band.low, must_stay_below=band.high)


def _band(name: str, verdict: Verdict, demand: Demand) -> Band:
    """Where an interval has to lie; that of a metric, where it shows the candidate to be better."""
    metric = verdict.metrics.get(name)
    if metric is None or demand.policy is None or demand.policy.kind != "superiority":
        return demand.band(name)
    from mendel.guard.policy import Band

    even = 1.0 if metric.kind == "ratio" else 0.0
    return Band(low=even) if metric.higher_is_better else Band(high=even)

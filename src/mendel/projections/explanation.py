"""The explanation of one candidate: its origin and its fate, from events alone.

It is for people only: it contains the gate's reasons and intervals, which nothing that breeds may read (rule 6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Self

from pydantic import Field

from mendel.contracts.base import Contract, Count, JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import (
    CandidateCreated,
    CandidateInvalidated,
    CandidateRejected,
    CandidateRepairStarted,
    CandidateSelected,
    FitnessScored,
)
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import (
    GenomeEligible,
    GenomeFused,
    GenomeMutated,
    GenomeReproduced,
    GenomeSpawned,
    LineageCulled,
)
from mendel.contracts.events.operation import (
    Operation,
    OperationCompleted,
    OperationFailed,
    OperationKind,
    OperationStarted,
)
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.organisms import Candidate
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.scoring import FitnessScore, ScoringPolicy
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.contracts.verdicts import Reason, Verdict
from mendel.projections.current_state import candidate_statuses, genome_statuses

_EXPRESSES_NO_MORE = frozenset({GenomeStatus.SPENT, GenomeStatus.FAILED, GenomeStatus.CULLED})


class Descent(Contract):
    """The origin of one genome. ``distance`` is 0 for the candidate's own genome, 1 for its parents."""

    genome_id: str
    distance: Count
    birth: Count
    generation_id: str | None
    parents: tuple[str, ...]
    operator: str | None
    why: str
    choices: JsonObject


class Step(Contract):
    """One operation about the candidate. Its kind is unknown without its marker in the log."""

    operation_id: str
    step: str
    kind: OperationKind | None
    attempt: Count
    outcome: Literal["in_flight", "completed", "failed"]
    degraded: bool
    findings: DomainPayload | None
    refs: tuple[EvidenceRef, ...]
    error: Reason | None
    usage: Usage
    energy: Count


class Repair(Contract):
    """The start of a repair, because the candidate was malformed."""

    sequence: Count
    reason: str


class SelectionNote(Contract):
    """An event of selection about the candidate or its genome; the filled fields depend on the type."""

    sequence: Count
    type: str
    reason: str | None = None
    children: tuple[str, ...] = ()
    scores: Mapping[str, float] = Field(default_factory=dict)


class GateNote(Contract):
    """A verdict of the gate; ``verdict.challenge`` identifies the challenge and its share of the error budget."""

    sequence: Count
    event_id: str
    verdict: Verdict


class AdoptionNote(Contract):
    """The candidate became its niche's champion, was confirmed, or was revoked."""

    sequence: Count
    outcome: Literal["made", "confirmed", "revoked"]
    niche: str
    replaces: str | None = None
    restores: str | None = None
    reason: str | None = None


class Explanation(Contract):
    """All facts about one candidate in the events through ``sequence_through``.

    ``ancestors`` are in order of distance, each once; those of other runs appear only as ids of parents. ``weights``
    are those of the run's policy, if the score was computed with it.
    """

    run_id: str
    sequence_through: Count
    candidate: Candidate
    status: CandidateStatus
    genome: Descent | None
    ancestors: tuple[Descent, ...]
    steps: tuple[Step, ...]
    repairs: tuple[Repair, ...]
    invalidated: str | None
    rejected: tuple[Reason, ...]
    score: FitnessScore | None
    weights: Mapping[str, float]
    selection: tuple[SelectionNote, ...]
    verdicts: tuple[GateNote, ...]
    adoptions: tuple[AdoptionNote, ...]


class _Variation(NamedTuple):
    """The facts about a genome in the marker of its variation."""

    operator: str | None
    why: str


class _Made(NamedTuple):
    """The facts about a child in the event of its mutation or fusion."""

    operator: str
    choices: JsonObject


class _Birth(NamedTuple):
    number: int
    parents: tuple[str, ...]
    generation_id: str | None


class _Ancestry:
    """A compact index of all genomes, since the candidate's ancestors are known only afterwards."""

    def __init__(self) -> None:
        self._births: dict[str, _Birth] = {}
        self._variations: dict[int, _Variation] = {}
        self._made: dict[str, _Made] = {}

    def take(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=Operation(kind="vary", birth=int() as birth) as operation):
                self._variations[birth] = _Variation(operation.operator, operation.why)
            case GenomeSpawned(genome=genome):
                self._births[genome.id] = _Birth(genome.birth, genome.parents, event.generation_id)
            case GenomeMutated(child_id=child, operator=operator, choices=choices):
                self._made[child] = _Made(operator, choices)
            case GenomeFused(child_id=child, mode=mode, choices=choices):
                self._made[child] = _Made(mode, choices)

    def of(self, genome_id: str) -> Iterator[Descent]:
        """Yield the genome and its ancestors, the nearest first."""
        level, seen, distance = [genome_id], {genome_id}, 0
        while level:
            known = [self._descent(one, distance) for one in level if one in self._births]
            yield from known
            parents = dict.fromkeys(parent for one in known for parent in one.parents)
            level = [parent for parent in parents if parent not in seen]
            seen.update(level)
            distance += 1

    def _descent(self, genome_id: str, distance: int) -> Descent:
        birth = self._births[genome_id]
        variation = self._variations.get(birth.number, _Variation(None, ""))
        made = self._made.get(genome_id)
        return Descent(
            genome_id=genome_id,
            distance=distance,
            birth=birth.number,
            generation_id=birth.generation_id,
            parents=birth.parents,
            operator=variation.operator or (made.operator if made else None),
            why=variation.why,
            choices=made.choices if made else {},
        )


@dataclass(slots=True)
class Work:
    """An operation so far: its latest marker, its end, and the traces of its spending."""

    operation_id: str
    step: str
    operation: Operation | None = None
    attempt: int = 1
    started: Event | None = None
    ended: Event | None = None
    energy: int = 0
    traces: list[str] = field(default_factory=list)

    @property
    def completed(self) -> OperationCompleted | None:
        """Its completion, if it succeeded."""
        found = self.ended.payload if self.ended is not None else None
        return found if isinstance(found, OperationCompleted) else None

    @property
    def failed(self) -> OperationFailed | None:
        """Its failure, if it failed."""
        found = self.ended.payload if self.ended is not None else None
        return found if isinstance(found, OperationFailed) else None

    @property
    def kind(self) -> OperationKind | None:
        """Its kind, which only its marker contains."""
        return self.operation.kind if self.operation is not None else None

    @property
    def usage(self) -> Usage:
        """Its usage; zero until it has ended."""
        ended = self.completed or self.failed
        return ended.usage if ended is not None else Usage()

    @property
    def error(self) -> Reason | None:
        """The reason of its failure, if it failed."""
        failed = self.failed
        return Reason(code=failed.error_code, message=failed.message) if failed is not None else None

    def row(self) -> Step:
        """Return its row in an explanation."""
        completed = self.completed
        return Step(
            operation_id=self.operation_id,
            step=self.step,
            kind=self.kind,
            attempt=self.attempt,
            outcome="completed" if completed else "failed" if self.failed else "in_flight",
            degraded=completed.degraded if completed else False,
            findings=completed.findings if completed else None,
            refs=completed.refs if completed else (),
            error=self.error,
            usage=self.usage,
            energy=self.energy,
        )


class _Steps:
    """The operations about one candidate, and the one that expressed it.

    That expression is known only once the candidate is created, so the expressions of all genomes are kept until their
    genome expresses nothing more.
    """

    def __init__(self, candidate_id: str) -> None:
        self._candidate_id = candidate_id
        self._about: dict[str, Work] = {}
        self._expressions: dict[str, Work] = {}
        self._by_genome: defaultdict[str, list[str]] = defaultdict(list)

    def take(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=operation, attempt=attempt):
                self._start(operation, attempt, event)
            case OperationCompleted() | OperationFailed():
                self._end(event.payload, event)
            case EnergySpent() | LlmCallTelemetry() | ProviderCallFailed():
                self._spend(event.payload, event)
            case CandidateCreated(candidate=Candidate(id=self._candidate_id) as candidate):
                self._adopt_expression(candidate.genome_id, event.operation_id)
        for genome_id, status in genome_statuses(event).items():
            if status in _EXPRESSES_NO_MORE:
                self._forget_expressions(genome_id)

    def works(self) -> tuple[Work, ...]:
        return tuple(self._about.values())

    def _known(self, operation_id: str | None) -> Work | None:
        return self._about.get(operation_id or "") or self._expressions.get(operation_id or "")

    def _start(self, operation: Operation, attempt: int, event: Event) -> None:
        if work := self._known(operation.id):  # another attempt
            work.operation, work.attempt, work.started = operation, attempt, event
            return
        work = Work(operation.id, operation.step, operation, attempt, event)
        if self._candidate_id in (event.candidate_id, *operation.subject_ids):
            self._about[operation.id] = work
        elif operation.kind == "express":
            self._expressions[operation.id] = work
            for genome_id in operation.subject_ids:
                self._by_genome[genome_id].append(operation.id)

    def _end(self, ended: OperationCompleted | OperationFailed, event: Event) -> None:
        work = self._known(ended.operation_id)
        if work is None and self._candidate_id in (event.candidate_id, getattr(ended, "candidate_id", None)):
            work = self._about[ended.operation_id] = Work(ended.operation_id, ended.step)
        if work is not None:
            work.ended = event

    def _spend(self, spent: EnergySpent | LlmCallTelemetry | ProviderCallFailed, event: Event) -> None:
        work = self._known(event.operation_id)
        if work is None:
            return
        if isinstance(spent, EnergySpent):
            work.energy += spent.actual
        if event.trace_id is not None:
            work.traces.append(event.trace_id)

    def _adopt_expression(self, genome_id: str, operation_id: str | None) -> None:
        told = (operation_id,) if operation_id is not None and operation_id in self._expressions else ()
        for expression in told or self._by_genome.get(genome_id, ()):
            if work := self._expressions.pop(expression, None):
                self._about[expression] = work

    def _forget_expressions(self, genome_id: str) -> None:
        for operation_id in self._by_genome.pop(genome_id, ()):
            self._expressions.pop(operation_id, None)


class _Selection:
    """The notes of selection on one candidate, and on all genomes, since its own is known only afterwards."""

    def __init__(self, candidate_id: str) -> None:
        self._candidate_id = candidate_id
        self._about: list[SelectionNote] = []
        self._by_genome: defaultdict[str, list[SelectionNote]] = defaultdict(list)

    def take(self, event: Event) -> None:
        match event.payload:
            case CandidateSelected(reason=reason) if event.candidate_id == self._candidate_id:
                self._about.append(SelectionNote(sequence=event.sequence, type=event.type, reason=reason))
            case GenomeEligible() if event.genome_id is not None:
                self._by_genome[event.genome_id].append(SelectionNote(sequence=event.sequence, type=event.type))
            case GenomeReproduced(children=children) if event.genome_id is not None:
                note = SelectionNote(sequence=event.sequence, type=event.type, children=children)
                self._by_genome[event.genome_id].append(note)
            case LineageCulled():
                self._culled(event.payload, event)

    def _culled(self, culled: LineageCulled, event: Event) -> None:
        note = SelectionNote(sequence=event.sequence, type=event.type, reason=culled.reason, scores=culled.scores)
        if self._candidate_id in culled.candidate_ids:
            self._about.append(note)
        for genome_id in culled.genome_ids:
            self._by_genome[genome_id].append(note)

    def rows(self, genome_id: str) -> tuple[SelectionNote, ...]:
        notes = {note.sequence: note for note in (*self._about, *self._by_genome.get(genome_id, ()))}
        return tuple(notes[sequence] for sequence in sorted(notes))


class ExplanationFold:
    """Folds events into the ``Explanation`` of one candidate; takes every event of one run in order."""

    def __init__(self, candidate_id: str) -> None:
        self._candidate_id = candidate_id
        self._last: Event | None = None
        self._candidate: Candidate | None = None
        self._status = CandidateStatus.CREATED
        self._ancestry = _Ancestry()
        self._steps = _Steps(candidate_id)
        self._selection = _Selection(candidate_id)
        self._repairs: list[Repair] = []
        self._invalidated: str | None = None
        self._rejected: tuple[Reason, ...] = ()
        self._policy = ScoringPolicy()
        self._score: FitnessScore | None = None
        self._gate: list[Event] = []

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._last = event
        self._status = candidate_statuses(event).get(self._candidate_id, self._status)
        self._ancestry.take(event)
        self._steps.take(event)
        self._selection.take(event)
        self._take_score(event)
        self._take_gate(event)
        if event.candidate_id == self._candidate_id:
            self._take_trouble(event)
        return self

    def _take_score(self, event: Event) -> None:
        match event.payload:
            case RunConfigured(config=config):
                self._policy = config.scoring_policy
            case CandidateCreated(candidate=Candidate(id=self._candidate_id) as candidate):
                self._candidate = candidate
            case FitnessScored(score=FitnessScore(candidate_id=self._candidate_id) as score):
                self._score = score

    def _take_trouble(self, event: Event) -> None:
        match event.payload:
            case CandidateRepairStarted(reason=reason):
                self._repairs.append(Repair(sequence=event.sequence, reason=reason))
            case CandidateInvalidated(reason=reason):
                self._invalidated = reason
            case CandidateRejected(reasons=reasons):
                self._rejected = reasons

    def _take_gate(self, event: Event) -> None:
        match event.payload:
            case GateVerdict(verdict=Verdict(candidate_id=self._candidate_id)):
                self._gate.append(event)
            case AdoptionMade() | AdoptionConfirmed() | AdoptionRevoked():
                if event.payload.candidate_id == self._candidate_id:
                    self._gate.append(event)

    @property
    def works(self) -> tuple[Work, ...]:
        """The operations about the candidate, in the order of their starts."""
        return self._steps.works()

    @property
    def gate(self) -> tuple[Event, ...]:
        """The events of the gate's verdicts on the candidate, and of its adoption."""
        return tuple(self._gate)

    def view(self) -> Explanation | None:
        """Return the view; None before the candidate is created."""
        if self._last is None or self._candidate is None:
            return None
        descent = tuple(self._ancestry.of(self._candidate.genome_id))
        known = self._score is not None and self._score.policy_version == self._policy.version
        return Explanation(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            candidate=self._candidate,
            status=self._status,
            genome=descent[0] if descent else None,
            ancestors=descent[1:],
            steps=tuple(work.row() for work in self.works),
            repairs=tuple(self._repairs),
            invalidated=self._invalidated,
            rejected=self._rejected,
            score=self._score,
            weights=self._policy.weights if known else {},
            selection=self._selection.rows(self._candidate.genome_id),
            verdicts=tuple(note for event in self._gate if (note := _verdict(event)) is not None),
            adoptions=tuple(told for event in self._gate if (told := _adoption(event)) is not None),
        )


def _verdict(event: Event) -> GateNote | None:
    if not isinstance(event.payload, GateVerdict):
        return None
    return GateNote(sequence=event.sequence, event_id=event.id, verdict=event.payload.verdict)


def _adoption(event: Event) -> AdoptionNote | None:
    sequence = event.sequence
    match event.payload:
        case AdoptionMade(niche=niche, replaces=replaces):
            return AdoptionNote(sequence=sequence, outcome="made", niche=niche, replaces=replaces)
        case AdoptionConfirmed(niche=niche):
            return AdoptionNote(sequence=sequence, outcome="confirmed", niche=niche)
        case AdoptionRevoked(niche=niche, restores=restores, reason=reason):
            return AdoptionNote(sequence=sequence, outcome="revoked", niche=niche, restores=restores, reason=reason)
    return None

"""Why one candidate is what it is, and what became of it, told from events alone.

It is for people: the gate's reasons and intervals stand in it, which nothing that breeds may read (rule 6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from mendel.contracts.events.energy import EnergySpent
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
    """How one genome came about. ``distance`` is 0 for the candidate's own, 1 for that one's parents."""

    genome_id: str
    distance: Count
    birth: Count
    generation_id: str | None
    parents: tuple[str, ...]
    operator: str | None
    why: str
    choices: JsonObject


class Step(Contract):
    """One operation about the candidate. Without its marker in the log, nobody knows its kind."""

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
    """The candidate was malformed."""

    sequence: Count
    reason: str


class SelectionNote(Contract):
    """An event of selection about the candidate or its genome; which fields are filled depends on the type."""

    sequence: Count
    type: str
    reason: str | None = None
    children: tuple[str, ...] = ()
    scores: Mapping[str, float] = Field(default_factory=dict)


class GateNote(Contract):
    """A verdict of the gate; ``verdict.challenge`` says which challenge it was and what it spent."""

    sequence: Count
    event_id: str
    verdict: Verdict


class AdoptionNote(Contract):
    """The candidate became its niche's champion, held it, or lost it."""

    sequence: Count
    outcome: Literal["made", "confirmed", "revoked"]
    niche: str
    replaces: str | None = None
    restores: str | None = None
    reason: str | None = None


class Explanation(Contract):
    """Everything the events through ``sequence_through`` say of one candidate.

    ``ancestors`` are in order of distance, each once; those of other runs are only named, as parents. ``weights`` are
    those of the run's policy, if it is the one that the score was made under.
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
    """What the marker of a variation says of the genome it makes."""

    operator: str | None
    why: str


class _Made(NamedTuple):
    """What the event of a mutation or a fusion says of the child."""

    operator: str
    choices: JsonObject


class _Birth(NamedTuple):
    number: int
    parents: tuple[str, ...]
    generation_id: str | None


class _Ancestry:
    """A compact index of every genome: whose ancestors are wanted is only known afterwards."""

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
        """The genome and its ancestors, nearest first."""
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
class _Work:
    """An operation so far."""

    operation_id: str
    step: str
    kind: OperationKind | None = None
    attempt: int = 1
    ended: OperationCompleted | OperationFailed | None = None
    energy: int = 0

    def row(self) -> Step:
        completed = self.ended if isinstance(self.ended, OperationCompleted) else None
        failed = self.ended if isinstance(self.ended, OperationFailed) else None
        return Step(
            operation_id=self.operation_id,
            step=self.step,
            kind=self.kind,
            attempt=self.attempt,
            outcome="completed" if completed else "failed" if failed else "in_flight",
            degraded=completed.degraded if completed else False,
            findings=completed.findings if completed else None,
            refs=completed.refs if completed else (),
            error=Reason(code=failed.error_code, message=failed.message) if failed else None,
            usage=self.ended.usage if self.ended else Usage(),
            energy=self.energy,
        )


class _Steps:
    """The operations about one candidate, and the one that expressed it.

    Which expression that was is only known once the candidate is created; those of other genomes are kept until they
    express nothing more.
    """

    def __init__(self, candidate_id: str) -> None:
        self._candidate_id = candidate_id
        self._about: dict[str, _Work] = {}
        self._expressions: dict[str, _Work] = {}
        self._by_genome: defaultdict[str, list[str]] = defaultdict(list)

    def take(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=operation, attempt=attempt):
                self._start(operation, attempt, event)
            case OperationCompleted() | OperationFailed():
                self._end(event.payload, event)
            case EnergySpent(actual=actual):
                if work := self._known(event.operation_id):
                    work.energy += actual
            case CandidateCreated(candidate=Candidate(id=self._candidate_id) as candidate):
                self._adopt_expression(candidate.genome_id, event.operation_id)
        for genome_id, status in genome_statuses(event).items():
            if status in _EXPRESSES_NO_MORE:
                self._forget_expressions(genome_id)

    def rows(self) -> tuple[Step, ...]:
        return tuple(work.row() for work in self._about.values())

    def _known(self, operation_id: str | None) -> _Work | None:
        return self._about.get(operation_id or "") or self._expressions.get(operation_id or "")

    def _start(self, operation: Operation, attempt: int, event: Event) -> None:
        if work := self._known(operation.id):
            work.attempt = attempt
            return
        work = _Work(operation.id, operation.step, operation.kind, attempt)
        if self._candidate_id in (event.candidate_id, *operation.subject_ids):
            self._about[operation.id] = work
        elif operation.kind == "express":
            self._expressions[operation.id] = work
            for genome_id in operation.subject_ids:
                self._by_genome[genome_id].append(operation.id)

    def _end(self, ended: OperationCompleted | OperationFailed, event: Event) -> None:
        work = self._known(ended.operation_id)
        if work is None and self._candidate_id in (event.candidate_id, getattr(ended, "candidate_id", None)):
            work = self._about[ended.operation_id] = _Work(ended.operation_id, ended.step)
        if work is not None:
            work.ended = ended

    def _adopt_expression(self, genome_id: str, operation_id: str | None) -> None:
        told = (operation_id,) if operation_id is not None and operation_id in self._expressions else ()
        for expression in told or self._by_genome.get(genome_id, ()):
            if work := self._expressions.pop(expression, None):
                self._about[expression] = work

    def _forget_expressions(self, genome_id: str) -> None:
        for operation_id in self._by_genome.pop(genome_id, ()):
            self._expressions.pop(operation_id, None)


class _Selection:
    """What selection said of one candidate, and of every genome: which one is wanted is only known afterwards."""

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
    """Folds events into the ``Explanation`` of one candidate; feed it every event of one run in order."""

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
        self._verdicts: list[GateNote] = []
        self._adoptions: list[AdoptionNote] = []

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
            case GateVerdict(verdict=Verdict(candidate_id=self._candidate_id) as verdict):
                self._verdicts.append(GateNote(sequence=event.sequence, event_id=event.id, verdict=verdict))
            case AdoptionMade() | AdoptionConfirmed() | AdoptionRevoked():
                if event.payload.candidate_id == self._candidate_id:
                    self._adoptions.append(_adoption(event.payload, event.sequence))

    def view(self) -> Explanation | None:
        """What there is to say; nothing before the candidate is created."""
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
            steps=self._steps.rows(),
            repairs=tuple(self._repairs),
            invalidated=self._invalidated,
            rejected=self._rejected,
            score=self._score,
            weights=self._policy.weights if known else {},
            selection=self._selection.rows(self._candidate.genome_id),
            verdicts=tuple(self._verdicts),
            adoptions=tuple(self._adoptions),
        )


def _adoption(payload: AdoptionMade | AdoptionConfirmed | AdoptionRevoked, sequence: int) -> AdoptionNote:
    match payload:
        case AdoptionMade(niche=niche, replaces=replaces):
            return AdoptionNote(sequence=sequence, outcome="made", niche=niche, replaces=replaces)
        case AdoptionConfirmed(niche=niche):
            return AdoptionNote(sequence=sequence, outcome="confirmed", niche=niche)
        case AdoptionRevoked(niche=niche, restores=restores, reason=reason):
            return AdoptionNote(sequence=sequence, outcome="revoked", niche=niche, restores=restores, reason=reason)

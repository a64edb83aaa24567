"""The detail of one candidate, from the few events that mention it, found by an index, without the whole log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Final

from mendel.api.genome_text import TextOf, difference, text_of
from mendel.api.problems import Refused
from mendel.api.schemas_candidates import (
    CandidateDetail,
    EvidenceItem,
    ModelCall,
    ParentDetail,
    SourceText,
    VerdictItem,
)
from mendel.api.source import RunSource, events_at
from mendel.contracts.energy import Usage
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.organisms import Genome
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Row
from mendel.contracts.step_words import Phase, Wording, phase_alias, word_of
from mendel.contracts.verdicts import Reason, Verdict
from mendel.ports.read_models import ReadModels
from mendel.projections.explanation import Explanation, ExplanationFold
from mendel.projections.tables import gate_intervals


async def candidate_detail(
    source: RunSource, sequence: int, run_id: str, candidate_id: str, own: TextOf | None = None
) -> CandidateDetail:
    """Everything that the log says of a candidate; ``sequence`` is how far the rows of the run are.

    Raises:
        Refused: the run has none of that id.
    """
    places = await candidate_index(source.models, run_id, candidate_id)
    if places is None:
        told = f"run {run_id} has no candidate {candidate_id[:80]!r}; GET /api/runs/{run_id}/candidates lists them"
        raise Refused(404, "candidate_not_found", told)
    events = await events_at(source.log, run_id, places.events)
    explanation = _explained(events, candidate_id, sequence)
    evidence = evidence_of(events, explanation, source.wording)
    genomes = {event.payload.genome.id: event.payload.genome for event in events if _spawns(event)}  # type: ignore[attr-defined]
    return _detail(explanation, events, genomes, places, own, evidence)


def _spawns(event: Event) -> bool:
    return isinstance(event.payload, GenomeSpawned)


def _explained(events: Iterable[Event], candidate_id: str, sequence: int) -> Explanation:
    fold = ExplanationFold(candidate_id)
    for event in events:
        fold.take(event)
    found = fold.view()
    if found is None:
        raise RuntimeError(f"the index knows {candidate_id}, and the log does not")
    return found.model_copy(update={"sequence_through": sequence})


def _detail(
    explained: Explanation,
    events: Sequence[Event],
    genomes: dict[str, Genome],
    places: CandidateIndex,
    own: TextOf | None,
    evidence: list[EvidenceItem],
) -> CandidateDetail:
    candidate = explained.candidate
    text = text_of(own, genomes.get(candidate.genome_id), candidate)
    operator = _operator(events, candidate.genome_id)
    asking = {*(step.operation_id for step in explained.steps), places.maker}
    created = next(event for event in events if event.sequence == places.created)
    return CandidateDetail(
        run_id=explained.run_id,
        sequence=explained.sequence_through,
        candidate_id=candidate.id,
        genome_id=candidate.genome_id,
        birth=candidate.birth,
        generation_id=explained.genome.generation_id if explained.genome else created.generation_id,
        status=explained.status,
        summary=candidate.summary,
        reason=_reason(explained),
        text=text,
        content=candidate.content,
        parents=[
            _parent(genomes.get(parent), places, own, text, genome_id=parent, operator=operator)
            for parent in places.parents
        ],
        fitness=explained.score,
        evidence=evidence,
        verdicts=verdicts_of(events, candidate.id),
        model_calls=[call for call in model_calls_of(events) if call.operation_id in asking],
        energy=_energy(events, asking, candidate.genome_id),
        explanation=explained,
    )


def _energy(events: Sequence[Event], operations: Set[str | None], genome_id: str) -> int:
    """What was charged for it from its birth on: for its operations, the one that made it, a founder's spawn."""
    return sum(
        event.payload.actual
        for event in events
        if isinstance(event.payload, EnergySpent)
        and (event.operation_id in operations if event.operation_id is not None else event.genome_id == genome_id)
    )


def _reason(explained: Explanation) -> str | None:
    if explained.invalidated is not None:
        return explained.invalidated
    return "; ".join(f"{each.code}: {each.message}" for each in explained.rejected) or None


def _parent(
    known: Genome | None,
    places: CandidateIndex,
    own: TextOf | None,
    after: SourceText | None,
    *,
    genome_id: str,
    operator: str | None,
) -> ParentDetail:
    text = text_of(own, known, None)
    return ParentDetail(
        genome_id=genome_id,
        candidate_id=places.expressed.get(genome_id),
        birth=known.birth if known is not None else None,
        operator=operator,
        text=text,
        diff=difference(text, after),
    )


def _operator(events: Sequence[Event], child: str) -> str | None:
    for event in events:
        match event.payload:
            case GenomeMutated(child_id=made, operator=operator) if made == child:
                return operator
            case GenomeFused(child_id=made, mode=mode) if made == child:
                return mode
    return None


# --- evidence --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Work:
    operation: Operation | None = None
    attempt: int = 1
    started: Event | None = None
    ended: Event | None = None
    energy: int = 0
    traces: list[str] = field(default_factory=list)


def evidence_of(events: Iterable[Event], explained: Explanation, wording: Wording) -> list[EvidenceItem]:
    """The operations about a candidate, in the order in which they began."""
    works = {step.operation_id: _Work(energy=step.energy) for step in explained.steps}
    for event in events:
        _take_work(event, works)
    return [_evidence(name, work, wording) for name, work in works.items()]


def _take_work(event: Event, works: dict[str, _Work]) -> None:
    match event.payload:
        case OperationStarted(operation=operation, attempt=attempt) if operation.id in works:
            work = works[operation.id]
            work.operation, work.attempt, work.started = operation, attempt, event
        case OperationCompleted(operation_id=name) | OperationFailed(operation_id=name) if name in works:
            works[name].ended = event
        case EnergySpent() | LlmCallTelemetry() | ProviderCallFailed() if event.operation_id in works:
            if event.trace_id is not None:
                works[event.operation_id or ""].traces.append(event.trace_id)


def _evidence(name: str, work: _Work, wording: Wording) -> EvidenceItem:
    ended = work.ended.payload if work.ended is not None else None
    completed = ended if isinstance(ended, OperationCompleted) else None
    failed = ended if isinstance(ended, OperationFailed) else None
    step = work.operation.step if work.operation is not None else (completed or failed).step  # type: ignore[union-attr]
    phase: Phase = "started"
    if completed is not None:
        phase = "degraded" if completed.degraded else "completed"
    elif failed is not None:
        phase = "failed"
    last = work.ended or work.started
    traces = [each.trace_id for each in (work.ended, work.started) if each is not None and each.trace_id]
    return EvidenceItem(
        operation_id=name,
        step=step,
        kind=work.operation.kind if work.operation is not None else None,
        word=word_of(wording, step),
        name=phase_alias(wording, step, phase) or step,
        outcome="in_flight" if phase == "started" else phase,
        attempt=work.attempt,
        energy=work.energy,
        usage=(completed or failed).usage if completed or failed else Usage(),  # type: ignore[union-attr]
        findings=completed.findings if completed is not None else None,
        error=Reason(code=failed.error_code, message=failed.message) if failed is not None else None,
        isolation=completed.isolation if completed is not None else None,
        lookups=(completed or failed).lookups if completed or failed else None,  # type: ignore[union-attr]
        started=work.started.sequence if work.started is not None else None,
        started_at=work.started.occurred_at if work.started is not None else None,
        ended=work.ended.sequence if work.ended is not None else None,
        ended_at=work.ended.occurred_at if work.ended is not None else None,
        trace_id=next(iter((*traces, *work.traces)), None),
        event_id=last.id if last is not None else None,
    )


# --- the gate --------------------------------------------------------------------------------------------------


def verdicts_of(events: Iterable[Event], candidate_id: str) -> list[VerdictItem]:
    """What the gate said of a candidate, and what became of its adoption."""
    return [item for event in events if (item := _verdict(event, candidate_id)) is not None]


def _verdict(event: Event, candidate_id: str) -> VerdictItem | None:
    match event.payload:
        case GateVerdict(verdict=verdict) if verdict.candidate_id == candidate_id:
            return _told(verdict, event)
        case AdoptionMade(candidate_id=who, niche=niche) if who == candidate_id:
            return VerdictItem(what="adopted", niche=niche, sequence=event.sequence, event_id=event.id)
        case AdoptionConfirmed(candidate_id=who, niche=niche) if who == candidate_id:
            return VerdictItem(what="confirmed", niche=niche, sequence=event.sequence, event_id=event.id)
        case AdoptionRevoked(candidate_id=who, niche=niche, reason=why) if who == candidate_id:
            return VerdictItem(what="revoked", niche=niche, reason=why, sequence=event.sequence, event_id=event.id)
    return None


def _told(verdict: Verdict, event: Event) -> VerdictItem:
    return VerdictItem(
        what="verdict",
        sequence=event.sequence,
        event_id=event.id,
        decision=verdict.decision,
        mode=verdict.mode,
        n=verdict.n,
        alpha=verdict.challenge.alpha,
        k=verdict.challenge.k,
        niche=verdict.challenge.niche,
        policy=verdict.policy,
        intervals=gate_intervals(verdict),
        reason="; ".join(each.message for each in verdict.reasons),
        verdict=verdict,
    )


# --- models ----------------------------------------------------------------------------------------------------


def model_calls_of(events: Iterable[Event]) -> list[ModelCall]:
    """The calls to models among events."""
    return [call for event in events if (call := _call(event)) is not None]


def _call(event: Event) -> ModelCall | None:
    match event.payload:
        case LlmCallTelemetry(role=role, provider=provider, validation=outcome, operation_id=name):
            return _called(event, role, outcome, provider, name)
        case ProviderCallFailed(role=role, provider=maybe, reason=outcome, operation_id=name):
            return _called(event, role, outcome, maybe, name)
    return None


def _called(event: Event, role: str, outcome: str, provider: ProviderMeta | None, name: str | None) -> ModelCall:
    known = provider.model_dump(exclude={"request_id"}) if provider is not None else {}
    return ModelCall(
        sequence=event.sequence,
        event_id=event.id,
        operation_id=event.operation_id or name,
        role=role,
        outcome=outcome,
        trace_id=event.trace_id,
        observation_id=event.observation_id,
        **known,
    )


# Index from a candidate to its events, so that one candidate can be read without the whole run.


_OF_OPERATIONS: Final = ("started", "ended", "charged")
_OF_GENOMES: Final = ("varied", "charged")


@dataclass(frozen=True)
class CandidateIndex:
    """One candidate: the genome that it expresses, what made that, and the events that an explanation of it rests on.

    ``expressed`` is the first candidate of each parent that has one, ``maker`` the operation that made the genome.
    """

    genome_id: str
    created: int
    maker: str | None
    parents: tuple[str, ...]
    expressed: Mapping[str, str]
    events: frozenset[int]


async def candidate_index(models: ReadModels, run_id: str, candidate_id: str) -> CandidateIndex | None:
    """The events about a candidate; None if it was never created."""
    candidate = await models.row(run_id, "candidates", candidate_id)
    if candidate is None or "genome_id" not in candidate.values:
        return None
    genome_id = str(candidate.values["genome_id"])
    line = await _line(models, run_id, genome_id)
    genome = line.get(genome_id)
    maker = _text(genome, "maker")
    parents = _parents(genome)
    makers = await models.matching(run_id, "operations", "key", [*filter(None, map(_maker, line.values()))])
    own = await models.matching(run_id, "operations", "subject_ids", (candidate_id, genome_id))
    worked = [*own, *(row for row in makers if row.key == maker)]
    told = {
        0,
        candidate.first,
        *_numbers(line.values(), _OF_GENOMES),
        *_numbers(makers, ("started",)),
        *_numbers(worked, _OF_OPERATIONS),
        *await _mentions(models, run_id, (candidate_id, genome_id), [row.key for row in worked]),
    }
    return CandidateIndex(
        genome_id=genome_id,
        created=candidate.first,
        maker=maker,
        parents=parents,
        expressed=await _expressed(models, run_id, parents),
        events=frozenset(told),
    )


async def _line(models: ReadModels, run_id: str, genome_id: str) -> dict[str, Row]:
    """The genome and all its ancestors in this run."""
    found: dict[str, Row] = {}
    level = [genome_id]
    while level:
        rows = await models.matching(run_id, "genomes", "key", level)
        found.update({row.key: row for row in rows})
        parents = dict.fromkeys(parent for row in rows for parent in _parents(row))
        level = [parent for parent in parents if parent not in found]
    return found


async def _mentions(
    models: ReadModels, run_id: str, subjects: tuple[str, str], operations: list[str]
) -> frozenset[int]:
    """States that were entered, scores, verdicts, and calls of models."""
    candidate = subjects[:1]
    rows = [
        *await models.matching(run_id, "transitions", "subject", subjects),
        *await models.matching(run_id, "fitness_scores", "candidate_id", candidate),
        *await models.matching(run_id, "verdicts", "candidate_id", candidate),
        *await models.matching(run_id, "model_calls", "operation_id", operations),
    ]
    return frozenset(row.first for row in rows).union(row.last for row in rows)


async def _expressed(models: ReadModels, run_id: str, parents: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in await models.matching(run_id, "candidates", "genome_id", parents):
        found.setdefault(str(row.values["genome_id"]), row.key)
    return found


def _parents(genome: Row | None) -> tuple[str, ...]:
    told = genome.values.get("parents") if genome is not None else None
    return tuple(map(str, told)) if isinstance(told, list) else ()


def _maker(genome: Row) -> str | None:
    return _text(genome, "maker")


def _text(row: Row | None, name: str) -> str | None:
    value = row.values.get(name) if row is not None else None
    return value if isinstance(value, str) else None


def _numbers(rows: Iterable[Row], names: Iterable[str]) -> Iterator[int]:
    """The events that rows began with, and those that they name."""
    for row in rows:
        yield row.first
        yield from (value for name in names if isinstance(value := row.values.get(name), int))

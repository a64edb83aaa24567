"""How a candidate's detail is put together: from the few events that tell of it, as they stand in the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field

from mendel.api.folding import events_at
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
from mendel.api.source import RunSource
from mendel.api.whereabouts import Whereabouts, whereabouts_of
from mendel.contracts.energy import Usage
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.organisms import Genome
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.step_words import Phase, Wording, phase_alias, word_of
from mendel.contracts.verdicts import Reason, Verdict
from mendel.projections.explanation import Explanation, ExplanationFold
from mendel.projections.gate_intervals import gate_intervals


async def candidate_detail(
    source: RunSource, sequence: int, run_id: str, candidate_id: str, own: TextOf | None = None
) -> CandidateDetail:
    """Everything that the log says of a candidate; ``sequence`` is how far the rows of the run are.

    Raises:
        Refused: the run has none of that id.
    """
    places = await whereabouts_of(source.models, run_id, candidate_id)
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
    places: Whereabouts,
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
    places: Whereabouts,
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

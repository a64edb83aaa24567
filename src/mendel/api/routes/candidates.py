"""`/runs/{id}/candidates`: the candidates of a run, and everything that the log contains about one.

An index finds the few events that mention a candidate, so that the whole log need not be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal, cast

import orjson
import structlog
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import JsonValue

from mendel.api.answers import UNCHANGED, answered, unchanged
from mendel.api.problems import Refused
from mendel.api.registration import TextOf
from mendel.api.schemas_candidates import (
    CandidateDetail,
    CandidatePage,
    CandidateRow,
    EvidenceItem,
    ModelCall,
    ParentDetail,
    SourceFile,
    SourceText,
    VerdictItem,
)
from mendel.api.services import Served, Services, Source
from mendel.api.source import RunSource, events_at
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.ids import UuidText
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ProviderMeta
from mendel.contracts.read_models import Row
from mendel.contracts.statuses import CandidateStatus
from mendel.contracts.step_words import Phase, Wording, phase_alias, word_of
from mendel.contracts.verdicts import Verdict
from mendel.ports.read_models import ReadModels
from mendel.projections.explanation import Explanation, ExplanationFold, Work
from mendel.projections.report.patch import unified_patch
from mendel.projections.tables import gate_intervals

MOST: Final = 1_000  # candidates per page
CandidateSort = Literal["birth", "fitness"]
CandidateName = Annotated[str, Path(min_length=1, max_length=200, description="A candidate's id.")]

reading = APIRouter(tags=["candidates"], responses=UNCHANGED)


@reading.get("/runs/{run_id}/candidates", response_model=CandidatePage)
async def list_candidates(
    request: Request,
    run_id: UuidText,
    source: Source,
    sort: Annotated[CandidateSort, Query(description="Sort by order of birth, or by fitness, best first.")] = "birth",
    status: Annotated[CandidateStatus | None, Query(description="Only candidates with this status.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 100,
    cursor: Annotated[str | None, Query(max_length=200, description="`next` from the previous page.")] = None,
) -> Response:
    """List the candidates of a run, page by page."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    # A row without a genome was mentioned by an event, but never created.
    found = [row for row in await source.models.rows(run_id, "candidates") if "genome_id" in row.values]
    found = [row for row in found if status is None or row.values.get("status") == status]
    found.sort(key=_worse if sort == "fitness" else _younger)
    start = _position(found, cursor)
    shown = found[start : start + limit]
    more = start + limit < len(found)
    page = CandidatePage(
        candidates=[candidate_row(row) for row in shown], next=shown[-1].key if more else None, total=len(found)
    )
    return answered(request, page, sequence)


def candidate_row(row: Row) -> CandidateRow:
    """Convert a row of the read models to its API form."""
    return CandidateRow.model_validate({**row.values, "candidate_id": row.key, "sequence": row.first})


def _younger(row: Row) -> tuple[int, int]:
    """Sort key: by birth, then by the event of creation."""
    birth = row.values.get("birth")
    return birth if isinstance(birth, int) else 0, row.first


def _worse(row: Row) -> tuple[bool, float, tuple[int, int]]:
    """Sort key: by descending fitness, then by birth; candidates without fitness come last."""
    fitness = row.values.get("fitness")
    return fitness is None, -float(fitness) if isinstance(fitness, int | float) else 0.0, _younger(row)


def _position(rows: list[Row], cursor: str | None) -> int:
    if cursor is None:
        return 0
    for place, row in enumerate(rows):
        if row.key == cursor:
            return place + 1
    raise Refused(404, "unknown_cursor", f"no candidate {cursor!r} is in this list; omit `cursor` to start over")


@reading.get("/runs/{run_id}/candidates/{cid}", name="get_candidate", response_model=CandidateDetail)
async def one_candidate(
    request: Request, run_id: UuidText, cid: CandidateName, source: Source, served: Served
) -> Response:
    """Get a candidate: source, differences from its parents, evidence, verdicts, model calls, and explanation."""
    sequence = await source.fresh(run_id)
    if known := unchanged(request, sequence):
        return known
    own = await text_maker(served, source, run_id)
    return answered(request, await candidate_detail(source, sequence, run_id, cid, own), sequence)


async def text_maker(served: Services, source: RunSource, run_id: str) -> TextOf | None:
    """Return the function by which the run's domain renders material as text, or None."""
    row = await source.row(run_id, "runs", run_id)
    name = row.values.get("domain") if row is not None else None
    return next((domain.text for domain in served.domains if domain.name == name), None)


# --- one candidate ---------------------------------------------------------------------------------------------------


async def candidate_detail(
    source: RunSource, sequence: int, run_id: str, candidate_id: str, own: TextOf | None = None
) -> CandidateDetail:
    """Collect everything that the log contains about a candidate; ``sequence`` is the last event in the rows.

    Raises:
        Refused: the run has no candidate with this id.
    """
    places = await candidate_index(source.models, run_id, candidate_id)
    if places is None:
        told = f"run {run_id} has no candidate {candidate_id[:80]!r}; GET /api/runs/{run_id}/candidates lists them"
        raise Refused(404, "candidate_not_found", told)
    events = await events_at(source.log, run_id, places.events)
    fold = ExplanationFold(candidate_id)
    for event in events:
        fold.take(event)
    explained = fold.view()
    if explained is None:
        raise RuntimeError(f"candidate {candidate_id} is in the index, but not in the log")
    explained = explained.model_copy(update={"sequence_through": sequence})
    return _detail(explained, fold, events, places, own, source.wording)


def _detail(
    explained: Explanation,
    fold: ExplanationFold,
    events: Sequence[Event],
    places: CandidateIndex,
    own: TextOf | None,
    wording: Wording,
) -> CandidateDetail:
    genomes = {
        each.payload.genome.id: each.payload.genome for each in events if isinstance(each.payload, GenomeSpawned)
    }
    candidate = explained.candidate
    text = text_of(own, genomes.get(candidate.genome_id), candidate)
    operator = _operator(events, candidate.genome_id)
    asking = {*(step.operation_id for step in explained.steps), places.maker}  # operations about this candidate
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
        evidence=[_evidence(work, wording) for work in fold.works],
        verdicts=[item for event in fold.gate if (item := _verdict(event)) is not None],
        model_calls=[call for call in model_calls_of(events) if call.operation_id in asking],
        energy=_energy(events, asking, candidate.genome_id),
        explanation=explained,
    )


def _energy(events: Sequence[Event], operations: Set[str | None], genome_id: str) -> int:
    """Sum the energy charged for its operations, for the operation that made it, or for spawning a founder."""
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


# --- evidence, verdicts and model calls ------------------------------------------------------------------------------


def _evidence(work: Work, wording: Wording) -> EvidenceItem:
    completed, failed = work.completed, work.failed
    phase: Phase = "started"
    if completed is not None:
        phase = "degraded" if completed.degraded else "completed"
    elif failed is not None:
        phase = "failed"
    seen = [each for each in (work.ended, work.started) if each is not None]
    traces = [each.trace_id for each in seen if each.trace_id]
    ended = completed or failed
    return EvidenceItem(
        operation_id=work.operation_id,
        step=work.step,
        kind=work.kind,
        word=word_of(wording, work.step),
        name=phase_alias(wording, work.step, phase) or work.step,
        outcome="in_flight" if phase == "started" else phase,
        attempt=work.attempt,
        energy=work.energy,
        usage=work.usage,
        findings=completed.findings if completed is not None else None,
        error=work.error,
        isolation=completed.isolation if completed is not None else None,
        lookups=ended.lookups if ended is not None else None,
        started=work.started.sequence if work.started is not None else None,
        started_at=work.started.occurred_at if work.started is not None else None,
        ended=work.ended.sequence if work.ended is not None else None,
        ended_at=work.ended.occurred_at if work.ended is not None else None,
        trace_id=next(iter((*traces, *work.traces)), None),
        event_id=next((each.id for each in seen), None),
    )


def _verdict(event: Event) -> VerdictItem | None:
    """Convert a verdict of the gate, or a change of the adoption; None for other events."""
    match event.payload:
        case GateVerdict(verdict=verdict):
            return _told(verdict, event)
        case AdoptionMade(niche=niche):
            return VerdictItem(what="adopted", niche=niche, sequence=event.sequence, event_id=event.id)
        case AdoptionConfirmed(niche=niche):
            return VerdictItem(what="confirmed", niche=niche, sequence=event.sequence, event_id=event.id)
        case AdoptionRevoked(niche=niche, reason=why):
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


def model_calls_of(events: Iterable[Event]) -> list[ModelCall]:
    """Return the model calls among the events."""
    return [call for event in events if (call := _call(event)) is not None]


def _call(event: Event) -> ModelCall | None:
    match event.payload:
        case LlmCallTelemetry(role=role, provider=provider, validation=outcome, operation_id=name):
            return _called(event, role, outcome, provider, name)
        case ProviderCallFailed(role=role, provider=maybe, reason=outcome, operation_id=name):
            return _called(event, role, outcome, maybe, name)
    return None


def _called(event: Event, role: str, outcome: str, provider: ProviderMeta | None, name: str | None) -> ModelCall:
    known = provider.model_dump(exclude={"request_id"}) if provider is not None else {}  # ModelCall has no such field
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


# --- its text --------------------------------------------------------------------------------------------------------


_LANGUAGES: Final[Mapping[str, str]] = {
    "py": "python",
    "js": "javascript",
    "ts": "typescript",
    "rs": "rust",
    "c": "c",
    "h": "c",
    "cc": "cpp",
    "cpp": "cpp",
    "go": "go",
    "java": "java",
    "json": "json",
    "toml": "toml",
    "sh": "bash",
    "sql": "sql",
    "md": "markdown",
}


def language_of(path: str) -> str:
    """Guess the language of a file from its suffix."""
    return _LANGUAGES.get(path.rpartition(".")[2].lower(), "text")


def files_text(files: Mapping[str, str]) -> SourceText | None:
    """Join files to one text; several files each have a line with their name above."""
    if not files:
        return None
    parts = [SourceFile(path=path, source=source) for path, source in sorted(files.items())]
    whole = parts[0].source if len(parts) == 1 else "\n".join(f"--- {each.path}\n{each.source}" for each in parts)
    return SourceText(language=language_of(parts[0].path), source=whole, files=parts)


def text_of(own: TextOf | None, genome: Genome | None, candidate: Candidate | None) -> SourceText | None:
    """Render a genome as text: by its domain's function, or from its files, or as the recorded JSON data."""
    if genome is None:
        return _data(candidate.content) if candidate is not None else None
    found = _own_text(own, genome, candidate) if own is not None else None
    return found or _recorded_files(genome.traits) or _data(genome.traits)


def _own_text(own: TextOf, genome: Genome, candidate: Candidate | None) -> SourceText | None:
    """Render by the domain's function; if it fails or returns another type, the generic text is used."""
    failed = partial(structlog.get_logger(__name__).error, "text_failed", domain=genome.traits.domain)
    try:
        found = cast("object", own(genome, candidate))
    except Exception as error:  # noqa: BLE001 - third-party code is a boundary; the page must still be shown
        failed(error=type(error).__name__)
        return None
    if isinstance(found, SourceText | None):
        return found
    failed(error=f"it returns a {type(found).__name__}, not a SourceText")
    return None


def difference(before: SourceText | None, after: SourceText | None) -> str | None:
    """Return the unified diff of two texts; None if either is missing."""
    if before is None or after is None:
        return None
    old, new = _parts(before), _parts(after)
    return "".join(unified_patch(path, old.get(path, ""), new.get(path, "")) for path in sorted({*old, *new}))


def _parts(text: SourceText) -> dict[str, str]:
    return {each.path: each.source for each in text.files} or {"candidate": text.source}


def _recorded_files(payload: DomainPayload) -> SourceText | None:
    files: JsonValue = payload.data.get("files")
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        return None
    return files_text({path: str(source) for path, source in files.items()})


def _data(payload: DomainPayload) -> SourceText:
    pretty = orjson.dumps(payload.data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS).decode()
    return SourceText(language="json", source=f"{pretty}\n")


# --- index from a candidate to its events ----------------------------------------------------------------------------


_OF_OPERATIONS: Final = ("started", "ended", "charged")
_OF_GENOMES: Final = ("varied", "charged")


@dataclass(frozen=True)
class CandidateIndex:
    """The index of one candidate: its genome, the genome's origin, and the events that its explanation needs.

    ``expressed`` maps each parent to its first candidate, if it has one; ``maker`` is the operation that made the
    genome.
    """

    genome_id: str
    created: int
    maker: str | None
    parents: tuple[str, ...]
    expressed: Mapping[str, str]
    events: frozenset[int]


async def candidate_index(models: ReadModels, run_id: str, candidate_id: str) -> CandidateIndex | None:
    """Find the events about a candidate; None if it was never created."""
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
        0,  # the configuration of the run
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
    """Return the genome and all its ancestors in this run, level by level."""
    found: dict[str, Row] = {}
    level = [genome_id]
    while level:  # one query per generation, not one per ancestor
        rows = await models.matching(run_id, "genomes", "key", level)
        found.update({row.key: row for row in rows})
        parents = dict.fromkeys(parent for row in rows for parent in _parents(row))
        level = [parent for parent in parents if parent not in found]
    return found


async def _mentions(
    models: ReadModels, run_id: str, subjects: tuple[str, str], operations: list[str]
) -> frozenset[int]:
    """Return the events with status changes, scores, verdicts and model calls."""
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
        found.setdefault(str(row.values["genome_id"]), row.key)  # the first candidate of the genome wins
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
    """Yield the first event of each row, and the events in the named columns."""
    for row in rows:
        yield row.first
        yield from (value for name in names if isinstance(value := row.values.get(name), int))

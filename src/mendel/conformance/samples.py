"""Sample events for testing a log."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, JsonValue

from mendel.contracts.base import JsonObject
from mendel.contracts.embeddings import EmbeddingRecord, packed, text_digest
from mendel.contracts.events.candidate import CandidateChecked, CandidateCreated
from mendel.contracts.events.envelope import EventDraft
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import BlobStored, Operation, OperationCompleted, OperationStarted
from mendel.contracts.events.run import RunCompleted, RunConfigured, RunStarted, RunSummary
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.ids import RunId, new_event_id, new_run_id
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload, PayloadRegistry
from mendel.contracts.run_config import RunConfig
from mendel.contracts.verdicts import Challenge, Decision, Provenance, Reason, SandboxProvenance, Verdict
from mendel.ports.event_log import EventLog


class OpenFindings(BaseModel):
    """Domain data without a fixed shape."""

    model_config = ConfigDict(extra="allow")

    __pydantic_extra__: dict[str, JsonValue]


def sample_payloads() -> PayloadRegistry:
    """Return a registry with the payloads of these samples."""
    registry = PayloadRegistry()
    registry.register("sample", "findings", 1, OpenFindings)
    return registry


def configured(problem: str = "a sample run") -> EventDraft:
    """Return the first event of a run."""
    config = RunConfig(domain="sample", problem=problem, rng_seed=7)
    return EventDraft.of(RunConfigured(config=config, mendel_version="0"))


def in_niche(niche: str, **fields: JsonValue) -> EventDraft:
    """Return the first event of a run that has ``niche``."""
    config = RunConfig.model_validate({"domain": "sample", "problem": "p", "rng_seed": 7, "niche": niche, **fields})
    return EventDraft.of(RunConfigured(config=config, mendel_version="0"))


def challenge(niche: str, k: int) -> EventDraft:
    """Return the marker of the k-th challenge of ``niche``."""
    operation = Operation(
        id=f"op-{k}",
        step="sample.gate",
        kind="challenge",
        subject_kind="candidate",
        subject_ids=(f"candidate-{k}",),
        challenge=Challenge.nth(niche, k, 0.05),
    )
    return EventDraft.of(OperationStarted(operation=operation), operation_id=operation.id)


def adoption(niche: str, number: int) -> EventDraft:
    """Return the event that makes candidate ``number`` champion of ``niche``."""
    name, digest = f"candidate-{number}", "0" * 64
    verdict = Verdict(
        candidate_id=name,
        decision=Decision.ADOPT,
        mode="exact",
        policy="any",
        challenge=Challenge.nth(niche, number, 0.05),
        n=1,
        reasons=(Reason(code="better", message="better"),),
        provenance=Provenance(sandbox=SandboxProvenance(tier="none"), spec_hash=digest, candidate_hash=digest),
    )
    material = DomainPayload(domain="sample", kind="findings", data={"number": number})
    made = AdoptionMade(
        niche=niche,
        candidate_id=name,
        verdict_event_id=new_event_id(),
        verdict=verdict,
        traits=material,
        content=material,
    )
    return EventDraft.of(made, candidate_id=name)


def seen_candidate(number: int, looks: EmbeddingRecord | None = None) -> list[EventDraft]:
    """Return the events of candidate ``number``'s birth and examination; ``looks`` is the vector that it recorded."""
    genome_id, candidate_id = f"genome-{number}", f"candidate-{number}"
    material = DomainPayload(domain="sample", kind="findings", data={"number": number})
    genome = Genome(id=genome_id, birth=number, traits=material)
    candidate = Candidate(id=candidate_id, genome_id=genome_id, birth=number, content=material)
    seen = OperationCompleted(operation_id=f"look-{number}", step="sample.look", looks=looks)
    return [
        EventDraft.of(GenomeSpawned(genome=genome), genome_id=genome_id),
        EventDraft.of(CandidateCreated(candidate=candidate), genome_id=genome_id, candidate_id=candidate_id),
        EventDraft.of(seen, candidate_id=candidate_id, operation_id=f"look-{number}"),
        EventDraft.of(CandidateChecked(), candidate_id=candidate_id),
    ]


def looks(number: int) -> EmbeddingRecord:
    """Return one of four unit vectors."""
    unit = [float(place == number % 4) for place in range(4)]
    return EmbeddingRecord(
        text_digest=text_digest(str(number)), embedder="sample", model_id="sample", dimension=4, vector=packed(unit)
    )


def revocation(niche: str, number: int) -> EventDraft:
    """Return the event that revokes the adoption of candidate ``number``."""
    name = f"candidate-{number}"
    payload = AdoptionRevoked(
        niche=niche, candidate_id=name, adoption_event_id=new_event_id(), reason="it did not hold"
    )
    return EventDraft.of(payload, candidate_id=name)


def started() -> EventDraft:
    """Return the start event of a run."""
    return EventDraft.of(RunStarted())


def completed() -> EventDraft:
    """Return the end event of a run."""
    return EventDraft.of(RunCompleted(summary=RunSummary()))


def finding(number: int, data: JsonObject | None = None) -> EventDraft:
    """Return the completion of an operation with the findings ``data``."""
    operation_id = f"operation-{number}"
    findings = DomainPayload(domain="sample", kind="findings", version=1, data=data or {"number": number})
    payload = OperationCompleted(operation_id=operation_id, step="sample.look", findings=findings)
    return EventDraft.of(payload, operation_id=operation_id, candidate_id=f"candidate-{number}")


def unchecked(number: int, data: JsonObject) -> EventDraft:
    """Return an operation with unvalidated findings, as a careless caller might create it."""
    draft = finding(number)
    findings = DomainPayload.model_construct(domain="sample", kind="findings", version=1, data=data)
    return draft.model_copy(update={"payload": draft.payload.model_copy(update={"findings": findings})})


def findings(count: int, start: int = 0) -> list[EventDraft]:
    """Return ``count`` completed operations."""
    return [finding(number) for number in range(start, start + count)]


def blob_stored(ref: BlobRef) -> EventDraft:
    """Return an event that refers to a blob."""
    return EventDraft.of(BlobStored(blob=ref, label="a large thing"))


async def new_run(log: EventLog, drafts: Sequence[EventDraft] = (), begins: EventDraft | None = None) -> RunId:
    """Create a run that begins with ``begins`` (by default a configuration), followed by ``drafts``."""
    run_id = new_run_id()
    await log.append(run_id, [begins or configured(), *drafts], expected=0)
    return run_id

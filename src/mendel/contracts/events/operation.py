"""Events of operations: the start marker with the complete operation, and its single outcome."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints

from mendel.contracts.base import Contract, Count, JsonObject, Name, StepName, Text
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.energy import Usage
from mendel.contracts.evaluations import Tier
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef, EvidenceRef
from mendel.contracts.ids import CandidateId, GenomeId, OperationId, UuidText
from mendel.contracts.lookups import Lookups
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Challenge, Niche

SubjectKind = Literal["run", "generation", "genome", "candidate", "pair"]

OperationKind = Literal["vary", "express", "repair", "examine", "challenge", "adopt", "revoke", "wait", "child"]
"""How the kernel uses the result; the step itself is defined by its domain. A ``child`` is requested by the handler of
another operation, which alone receives the result."""


class NearCandidate(Contract):
    """A candidate and its cosine similarity to a subject, 1 for identical ones; ``run_id`` is set for another run."""

    candidate_id: CandidateId
    similarity: float
    run_id: UuidText | None = None


class Operation(Contract):
    """A complete description of one effect requested by the kernel, sufficient to execute it again.

    ``allowance`` is the worst case reserved for it. It may use the results of all births with an index below
    ``reads_through``. ``entropy`` is the key of its random draws. ``birth`` is the index of the genome that a variation
    creates, ``site`` the class of places where its operator is applied, ``inspirations`` are genomes to learn from in
    addition to the parents, ``why`` is the reason for this choice, ``niche`` is the niche of the parents if not the
    first one, and ``challenge`` is the share of a challenge in the error budget (rule 10). ``parent`` is the operation
    that requested this one and pays for it from its allowance. ``entered`` is the index of the generation that a
    survivor entered; its conditions apply. ``neighbours`` are the candidates most similar to the subject.
    """

    id: OperationId
    step: StepName
    kind: OperationKind = "examine"
    subject_kind: SubjectKind
    subject_ids: Annotated[tuple[str, ...], Field(min_length=1)]
    parents: tuple[GenomeId, ...] = ()
    operator: Name | None = None
    entropy: tuple[str | int, ...] = ()
    allowance: Usage = Usage()
    reserved_energy: Count = 0
    reads_through: Count = 0
    deadline_ms: Count | None = None
    inputs: DomainPayload | None = None
    birth: Count | None = None
    why: Annotated[str, StringConstraints(max_length=2_000)] = ""
    challenge: Challenge | None = None
    site: Name | None = None
    inspirations: tuple[GenomeId, ...] = ()
    niche: Niche | None = None
    parent: OperationId | None = None
    entered: Annotated[int, Field(ge=1)] | None = None
    # Left out if empty, as in older events.
    neighbours: tuple[NearCandidate, ...] = Field(default=(), exclude_if=lambda neighbours: not neighbours)


class OperationStarted(Payload):
    """The operation may start once this marker is durable."""

    type: ClassVar[str] = "operation.started"
    operation: Operation
    attempt: Annotated[int, Field(ge=1)] = 1


class OperationCompleted(Payload):
    """The operation succeeded; a replay reads its findings instead of executing it.

    ``lost_deliveries`` counts earlier deliveries that died with their workers; each is charged at its worst case
    (rule 1). ``isolation`` is the weakest sandbox tier in which untrusted code ran; None if no such code ran.
    ``lookups`` has its external lookups, ``looks`` the embedding of the candidate's content made by an examination or a
    repair.
    """

    type: ClassVar[str] = "operation.completed"
    operation_id: OperationId
    step: StepName
    findings: DomainPayload | None = None
    refs: tuple[EvidenceRef, ...] = ()
    usage: Usage = Usage()
    attempts: Annotated[int, Field(ge=1)] = 1
    lost_deliveries: Count = 0
    degraded: bool = False
    isolation: Tier | None = None
    lookups: Lookups | None = None
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)  # as in older events


class OperationFailed(Payload):
    """The operation failed; it costs no energy."""

    type: ClassVar[str] = "operation.failed"
    operation_id: OperationId
    step: StepName
    error_type: Name
    error_code: Name
    message: Text
    usage: Usage = Usage()
    attempts: Annotated[int, Field(ge=1)] = 1
    lost_deliveries: Count = 0
    candidate_id: CandidateId | None = None
    details: JsonObject = Field(default_factory=dict)
    lookups: Lookups | None = None


class BlobStored(Payload):
    """Data too large for an event was stored as a blob under this reference."""

    type: ClassVar[str] = "blob.stored"
    blob: BlobRef
    label: Text

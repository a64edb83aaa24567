"""Events of operations: the start marker that carries the whole operation, and its one completion."""

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
"""What the kernel does with the answer; what the step does is its domain's business. A ``child`` is asked for by the
handler of another operation, which alone gets its answer."""


class NearCandidate(Contract):
    """A candidate, and how much alike it and somebody look: 1 for no difference. ``run_id`` is its run, if another."""

    candidate_id: CandidateId
    similarity: float
    run_id: UuidText | None = None


class Operation(Contract):
    """One effect the kernel asks for, whole: it can be performed again from this alone.

    ``allowance`` is the worst case reserved for it; ``reads_through`` counts the births whose results it may rest on
    (all those with a smaller index); ``entropy`` keys its draws. ``birth`` is the index of the genome that a variation
    makes, ``site`` the class of places where its operator is tried, ``inspirations`` whom it may learn from beside its
    parents, ``why`` how these were chosen, ``niche`` the one whose parents they are where it is not the run's first,
    ``challenge`` what a challenge may spend (rule 10). ``parent`` is the operation whose handler asked for this one,
    and whose allowance pays for it. ``entered`` is the index of the generation that a survivor entered, under whose
    conditions it is examined, ``neighbours`` those that its subject looks most like.
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
    neighbours: tuple[NearCandidate, ...] = Field(default=(), exclude_if=lambda neighbours: not neighbours)


class OperationStarted(Payload):
    """The operation may begin once this marker is durable."""

    type: ClassVar[str] = "operation.started"
    operation: Operation
    attempt: Annotated[int, Field(ge=1)] = 1


class OperationCompleted(Payload):
    """The operation succeeded; its findings are what replay reads instead of performing it.

    ``lost_deliveries`` died with their workers before it: what they used counts at its worst case (rule 1).
    ``isolation`` is the weakest tier of sandbox in which anything untrusted ran for it; none where nothing did.
    ``lookups`` is what was looked up for it, ``looks`` the vector that an examination or a repair made of what
    its candidate says.
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
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)


class OperationFailed(Payload):
    """The operation did not succeed; it costs no energy."""

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
    """Bytes too large for an event are kept under this reference."""

    type: ClassVar[str] = "blob.stored"
    blob: BlobRef
    label: Text

"""Events of the gate: the verdict, and the adoption, which includes it (rule 10)."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Text
from mendel.contracts.embeddings import EmbeddingRecord
from mendel.contracts.events.payload import Payload
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.ids import CandidateId, UuidText
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Decision, Niche, Verdict


class GateVerdict(Payload):
    """The gate decided about a candidate."""

    type: ClassVar[str] = "gate.verdict"
    verdict: Verdict


class AdoptionMade(Payload):
    """A candidate became the champion of its niche, on the included verdict.

    ``traits``, ``content`` and ``looks`` are a copy of the champion, for the next run of the niche.
    """

    type: ClassVar[str] = "adoption.made"
    niche: Niche
    candidate_id: CandidateId
    replaces: CandidateId | None = None
    verdict_event_id: UuidText
    verdict: Verdict
    artifact: BlobRef | None = None
    traits: DomainPayload | None = None
    content: DomainPayload | None = None
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)  # as in older events

    @model_validator(mode="after")
    def _carries_the_verdict_that_let_it_in(self) -> Self:
        if self.verdict.decision is not Decision.ADOPT:
            raise ValueError("an adoption requires a verdict with the decision adopt (rule 10)")
        if self.verdict.candidate_id != self.candidate_id or self.verdict.challenge.niche != self.niche:
            raise ValueError("the verdict is about another candidate or niche (rule 10)")
        return self


class AdoptionConfirmed(Payload):
    """The adoption was confirmed."""

    type: ClassVar[str] = "adoption.confirmed"
    niche: Niche
    candidate_id: CandidateId
    adoption_event_id: UuidText


class AdoptionRevoked(Payload):
    """The adoption was revoked; ``restores`` is the champion again."""

    type: ClassVar[str] = "adoption.revoked"
    niche: Niche
    candidate_id: CandidateId
    adoption_event_id: UuidText
    restores: CandidateId | None = None
    reason: Text

"""Events of the gate: the verdict, and the adoption that carries it (rule 10)."""

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
    """What the gate said."""

    type: ClassVar[str] = "gate.verdict"
    verdict: Verdict


class AdoptionMade(Payload):
    """A candidate became its niche's champion. The verdict that let it in comes with it.

    ``traits``, ``content`` and ``looks`` are what it is: the next run of the niche takes it over from this event.
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
    looks: EmbeddingRecord | None = Field(default=None, exclude_if=lambda looks: looks is None)

    @model_validator(mode="after")
    def _carries_the_verdict_that_let_it_in(self) -> Self:
        if self.verdict.decision is not Decision.ADOPT:
            raise ValueError("nothing is adopted but on a verdict that says adopt (rule 10)")
        if self.verdict.candidate_id != self.candidate_id or self.verdict.challenge.niche != self.niche:
            raise ValueError("the verdict is about another candidate or niche (rule 10)")
        return self


class AdoptionConfirmed(Payload):
    """The adoption held."""

    type: ClassVar[str] = "adoption.confirmed"
    niche: Niche
    candidate_id: CandidateId
    adoption_event_id: UuidText


class AdoptionRevoked(Payload):
    """The adoption did not hold; ``restores`` is champion again."""

    type: ClassVar[str] = "adoption.revoked"
    niche: Niche
    candidate_id: CandidateId
    adoption_event_id: UuidText
    restores: CandidateId | None = None
    reason: Text

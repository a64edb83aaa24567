"""Events of a candidate; the envelope's ``candidate_id`` identifies it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from pydantic import Field

from mendel.contracts.base import Contract, Count, Name, Text
from mendel.contracts.events.payload import Payload
from mendel.contracts.organisms import Candidate
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.verdicts import Niche, Reason

ENDLESS_ROUTE: Final = "endless_route"
"""Reason code for a candidate that was dropped because its route did not end."""


class RepairWish(Contract):
    """Request to breed a successor from the genome of the failed candidate, by ``operator``."""

    operator: Name
    inputs: DomainPayload | None = None


class CandidateCreated(Payload):
    """A genome expressed a candidate."""

    type: ClassVar[str] = "candidate.created"
    candidate: Candidate


class CandidateRepairStarted(Payload):
    """The candidate was malformed, and its one repair started."""

    type: ClassVar[str] = "candidate.repair_started"
    reason: Text


class CandidateUnderReview(Payload):
    """The candidate is being examined."""

    type: ClassVar[str] = "candidate.under_review"


class CandidateChecked(Payload):
    """All examinations are recorded. ``niche`` is the candidate's niche; None is the first one of the run."""

    type: ClassVar[str] = "candidate.checked"
    niche: Niche | None = None


class FitnessScored(Payload):
    """The candidate received its fitness."""

    type: ClassVar[str] = "fitness.scored"
    score: FitnessScore


class CandidateEntered(Payload):
    """A survivor entered the generation in the envelope, to be scored again under its conditions."""

    type: ClassVar[str] = "candidate.entered"
    index: Count


class FitnessRescored(Payload):
    """A survivor received a fitness under the conditions of the generation in the envelope, which it entered."""

    type: ClassVar[str] = "fitness.rescored"
    score: FitnessScore


class CandidateLeft(Payload):
    """A survivor was not scored in the generation that it entered; its earlier fitness stays valid."""

    type: ClassVar[str] = "candidate.left"
    reason: Reason


class CandidateSelected(Payload):
    """The candidate was selected, for the given reason."""

    type: ClassVar[str] = "candidate.selected"
    reason: Text


class CandidateRejected(Payload):
    """The candidate was examined and rejected. The reasons of the gate are never included (rule 6)."""

    type: ClassVar[str] = "candidate.rejected"
    reasons: Annotated[tuple[Reason, ...], Field(min_length=1)]
    wish: RepairWish | None = None


class CandidateInvalidated(Payload):
    """The candidate could not be made well-formed."""

    type: ClassVar[str] = "candidate_invalidated"
    reason: Text
    repaired: bool = False

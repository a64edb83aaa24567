"""Events of a candidate. The envelope's ``candidate_id`` says which one."""

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
"""The code of a candidate that was dropped because its route never came to an end."""


class RepairWish(Contract):
    """A successor is to be bred from the failed candidate's genome by ``operator``."""

    operator: Name
    inputs: DomainPayload | None = None


class CandidateCreated(Payload):
    """A genome expressed a candidate."""

    type: ClassVar[str] = "candidate.created"
    candidate: Candidate


class CandidateRepairStarted(Payload):
    """The candidate was malformed and is repaired, once."""

    type: ClassVar[str] = "candidate.repair_started"
    reason: Text


class CandidateUnderReview(Payload):
    """The candidate is being examined."""

    type: ClassVar[str] = "candidate.under_review"


class CandidateChecked(Payload):
    """Every examination of the candidate is recorded. ``niche`` is where it competes; None is the run's first."""

    type: ClassVar[str] = "candidate.checked"
    niche: Niche | None = None


class FitnessScored(Payload):
    """The candidate has a fitness."""

    type: ClassVar[str] = "fitness.scored"
    score: FitnessScore


class CandidateEntered(Payload):
    """A survivor enters the generation that the envelope names, to be scored anew under its conditions."""

    type: ClassVar[str] = "candidate.entered"
    index: Count


class FitnessRescored(Payload):
    """A survivor has a fitness under the conditions of the generation that it entered, which the envelope names."""

    type: ClassVar[str] = "fitness.rescored"
    score: FitnessScore


class CandidateLeft(Payload):
    """A survivor is not scored in the generation that it entered; the fitness that it had before holds."""

    type: ClassVar[str] = "candidate.left"
    reason: Reason


class CandidateSelected(Payload):
    """The candidate was chosen, and this is why."""

    type: ClassVar[str] = "candidate.selected"
    reason: Text


class CandidateRejected(Payload):
    """The candidate was examined and refused. The gate's reasons never stand here (rule 6)."""

    type: ClassVar[str] = "candidate.rejected"
    reasons: Annotated[tuple[Reason, ...], Field(min_length=1)]
    wish: RepairWish | None = None


class CandidateInvalidated(Payload):
    """The candidate could not be made well-formed."""

    type: ClassVar[str] = "candidate_invalidated"
    reason: Text
    repaired: bool = False

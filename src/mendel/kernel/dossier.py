"""Dossiers: the facts about one subject for ``route``. Recorded facts only, without anything held out by rule 6."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from mendel.contracts.energy import Usage
from mendel.contracts.entropy import Entropy
from mendel.contracts.events.operation import OperationKind
from mendel.contracts.evidence_refs import EvidenceRef
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.verdicts import Decision

Phase = Literal["verifying", "scoring", "contending", "generation"]
"""Under examination; being scored with its generation; scored, so that it may challenge; a whole scored generation."""

AdoptionState = Literal["made", "confirmed", "revoked"]


@dataclass(frozen=True, slots=True)
class Observation:
    """One ended step: its findings or failure code, and its usage. The findings of a gate's step are never shown."""

    step: str
    kind: OperationKind
    findings: DomainPayload | None = None
    refs: tuple[EvidenceRef, ...] = ()
    failed: str | None = None
    degraded: bool = False
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Rival:
    """The niche's champion, with the facts that a challenger may see."""

    candidate_id: str
    total: float | None


@dataclass(frozen=True, slots=True)
class Near:
    """An earlier candidate, and the similarity of the two vectors: 1 for no difference."""

    candidate_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Dossier:
    """One subject and the facts recorded about it; its observations are in the order of their requests.

    ``decision`` is the gate's decision, without its reasons. ``total`` is the candidate's fitness once it is scored.
    ``twin`` is an earlier candidate with the same fingerprint, if there is one. ``near`` is the earlier candidate with
    the most similar looks, as long as nothing was examined. ``niche`` is where the candidate competes; until its
    examination is complete, where it was bred. For a survivor that ``entered`` a later generation, the observations
    are those made there, and ``total`` is its fitness before.
    """

    subject_id: str
    phase: Phase
    generation: int
    seed: int
    traits: DomainPayload | None = None
    content: DomainPayload | None = None
    conditions: DomainPayload | None = None
    observations: tuple[Observation, ...] = ()
    repaired: bool = False
    total: float | None = None
    champion: Rival | None = None
    decision: Decision | None = None
    adoption: AdoptionState | None = None
    members: tuple[str, ...] = ()
    twin: str | None = None
    near: Near | None = None
    niche: str | None = None
    entered: bool = False

    @property
    def entropy(self) -> Entropy:
        """The subject's own random draws; the same in every call for the subject."""
        return Entropy(self.seed, "route", self.subject_id)

    def last(self, step: str) -> Observation | None:
        """Return the latest observation of ``step``; None if there is none."""
        return next((seen for seen in reversed(self.observations) if seen.step == step), None)

    def missing(self, *steps: str) -> tuple[str, ...]:
        """Return those of ``steps`` that have not ended yet."""
        seen = {observation.step for observation in self.observations}
        return tuple(step for step in steps if step not in seen)

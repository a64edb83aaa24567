"""Dossiers: what ``route`` is shown of one subject. Recorded facts only, and nothing that rule 6 holds out."""

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
"""Being examined; being scored beside its generation; scored and free to challenge; a whole generation, scored."""

AdoptionState = Literal["made", "confirmed", "revoked"]


@dataclass(frozen=True, slots=True)
class Observation:
    """One step that ended: what it found, or the code of its failure, and what it used. A gate's step shows nothing."""

    step: str
    kind: OperationKind
    findings: DomainPayload | None = None
    refs: tuple[EvidenceRef, ...] = ()
    failed: str | None = None
    degraded: bool = False
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Rival:
    """The niche's champion, as far as a challenger may know it."""

    candidate_id: str
    total: float | None


@dataclass(frozen=True, slots=True)
class Near:
    """An earlier candidate, and how much alike the two look: 1 for no difference."""

    candidate_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Dossier:
    """One subject and what was recorded of it, in the order in which it was asked for.

    ``decision`` is what the gate said, never why. ``total`` is the candidate's fitness once it is scored. ``twin`` is
    an earlier candidate with the same fingerprint, if there is one; ``near``, as long as nothing has been examined, the
    earlier one that it looks most like. ``niche`` is where the candidate competes, or, until its examination is
    complete, where it was bred. A survivor that ``entered`` a generation anew comes with what was observed of it there,
    and as ``total`` with the fitness that it had before.
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
        """The subject's own draws: the same whenever it is asked about."""
        return Entropy(self.seed, "route", self.subject_id)

    def last(self, step: str) -> Observation | None:
        """The latest observation that ``step`` made."""
        return next((seen for seen in reversed(self.observations) if seen.step == step), None)

    def missing(self, *steps: str) -> tuple[str, ...]:
        """Those of ``steps`` that have not ended yet."""
        seen = {observation.step for observation in self.observations}
        return tuple(step for step in steps if step not in seen)

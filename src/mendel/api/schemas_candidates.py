"""What goes over the wire about one candidate, and about how a run ended."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field, JsonValue

from mendel.api.schemas import Wire
from mendel.contracts.energy import Usage
from mendel.contracts.events.run import CapName
from mendel.contracts.lookups import Lookups
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import CandidateStatus, RunStatus
from mendel.contracts.verdicts import Decision, Reason, Verdict
from mendel.projections.explanation import Explanation
from mendel.projections.lineage import EarlierChampion
from mendel.projections.tables import GateInterval


class CandidateRow(Wire):
    """A candidate in a list."""

    candidate_id: str
    genome_id: str
    birth: int
    generation_id: str | None = None
    status: CandidateStatus
    summary: str = ""
    fitness: float | None = None
    reason: str | None = Field(default=None, description="Why it is out, where it is.")
    event_id: str
    sequence: int = Field(description="The event with which it was created.")


class CandidatePage(Wire):
    """Some of the candidates; ``next`` asks for those after them."""

    candidates: list[CandidateRow]
    next: str | None = None
    total: int = Field(description="How many there are.")


class SourceFile(Wire):
    """One file of what was bred."""

    path: str
    source: str


class SourceText(Wire):
    """What was bred, readable. ``source`` is all of it; ``files`` are its parts, where it has several."""

    language: str = Field(description="What to highlight it as: python, json, text, or a language's own name.")
    source: str
    files: list[SourceFile] = Field(default_factory=list)


class ParentDetail(Wire):
    """Whom a candidate comes from. ``diff`` turns the parent's text into the candidate's."""

    genome_id: str
    candidate_id: str | None = Field(default=None, description="None where the parent expressed none in this run.")
    birth: int | None = None
    operator: str | None = None
    text: SourceText | None = None
    diff: str | None = Field(default=None, description="A unified diff; null where one of the texts is not here.")


class EvidenceItem(Wire):
    """One operation about the candidate, with its findings as they were recorded."""

    operation_id: str
    step: str
    kind: str | None
    word: str = Field(description="What its domain calls the step; its name where the domain has no word for it.")
    name: str = Field(description="What streams call its end; the step's own name where it has no other.")
    outcome: Literal["in_flight", "completed", "degraded", "failed"]
    attempt: int
    energy: int
    usage: Usage
    findings: DomainPayload | None = None
    error: Reason | None = None
    isolation: str | None = Field(default=None, description="The weakest sandbox in which anything of it ran.")
    lookups: Lookups | None = None
    started: int | None = None
    started_at: datetime | None = None
    ended: int | None = None
    ended_at: datetime | None = None
    trace_id: str | None = None
    event_id: str | None = Field(default=None, description="The event of its end, or of its start while it goes on.")


class VerdictItem(Wire):
    """What the gate said of the candidate, and what became of it."""

    what: Literal["verdict", "adopted", "confirmed", "revoked"]
    sequence: int
    event_id: str
    decision: Decision | None = None
    mode: str | None = None
    n: int | None = None
    alpha: float | None = Field(default=None, description="What this challenge spent of the run's error budget.")
    k: int | None = Field(default=None, description="Which challenge of its niche it was.")
    niche: str | None = None
    policy: str | None = None
    intervals: list[GateInterval] = Field(default_factory=list)
    reason: str | None = None
    verdict: Verdict | None = Field(default=None, description="Whole, with metrics, relations, violations and looks.")


class ModelCall(Wire):
    """One call to a model for the candidate, or for the genome it expresses."""

    sequence: int
    event_id: str
    operation_id: str | None
    role: str
    outcome: str
    provider: str | None = None
    model_id: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost_microusd: int | None = None
    latency_ms: int | None = None
    trace_id: str | None = None
    observation_id: str | None = None


class CandidateDetail(Wire):
    """Everything that the log says of one candidate."""

    run_id: str
    sequence: int = Field(description="The last event that this is made of.")
    candidate_id: str
    genome_id: str
    birth: int
    generation_id: str | None = None
    status: CandidateStatus
    summary: str
    reason: str | None = None
    text: SourceText | None = None
    content: DomainPayload = Field(description="As it was recorded.")
    parents: list[ParentDetail]
    fitness: FitnessScore | None = None
    evidence: list[EvidenceItem]
    verdicts: list[VerdictItem]
    model_calls: list[ModelCall]
    energy: int = Field(description="What was charged for everything about it.")
    explanation: Explanation


ProofState = Literal["confirmed", "adopted", "nothing", "open"]


class NicheProof(Wire):
    """What came of one niche of a run, and its error budget: what all challenges there together may spend (rule 10).

    ``before`` were made there by earlier runs, ``challenges`` by this one, which took ``spent`` of ``alpha``.
    """

    niche: str
    alpha: float | None = None
    spent: float = 0.0
    challenges: int = 0
    before: int = 0
    champion_id: str | None = Field(default=None, description="Whom this run adopted there and did not throw out.")
    champion_before: EarlierChampion | None = Field(
        default=None, description="The champion that the run found there; where it adopted nobody it stands."
    )
    state: ProofState = "open"
    said: str = Field(default="", description="What came of the niche, in one sentence.")
    text: SourceText | None = Field(default=None, description="The champion, readable.")


class ReplayProof(Wire):
    """What a replay has to arrive at: the digests are those that the run's last event recorded."""

    events: int
    head_hash: str | None = None
    state_digest: str | None = None
    outcome_digest: str | None = None
    command: str = Field(description="What replays it, in a process that can reach nobody.")


class CapEnd(Wire):
    """A cap that the run reached."""

    cap: CapName
    limit: int
    used: int


class FinalProof(Wire):
    """How a run ended, and what proves its winner; one that has none says so."""

    run_id: str
    sequence: int
    status: RunStatus | None
    over: bool
    reason: str | None = None
    said: str = Field(
        description="No more than the log proves: one sentence, and of several niches one for each winner."
    )
    state: ProofState
    winner: CandidateDetail | None = Field(
        default=None, description="The champion of the first niche that has one; adopted through the gate."
    )
    best: CandidateDetail | None = Field(
        default=None, description="Where nobody was adopted: the best that was scored. Nothing proves it."
    )
    founder: CandidateDetail | None = Field(
        default=None, description="What it is compared with: the first founder that no earlier run left."
    )
    patch: str | None = Field(default=None, description="What turns the founder into the winner, as a unified diff.")
    verdict: VerdictItem | None = None
    audit: EvidenceItem | None = Field(default=None, description="An audit that took no part in selection.")
    revoked: list[VerdictItem] = Field(default_factory=list)
    niches: list[NicheProof] = Field(description="Those of the run, its first one first; each has its error budget.")
    caps: list[CapEnd] = Field(default_factory=list)
    digest: str | None = Field(default=None, description="The outcome digest, as recorded.")
    replay: ReplayProof
    figures: dict[str, JsonValue] = Field(default_factory=dict, description="Best fitness, cost, tokens and the like.")

"""API models for candidates, and for the result of a run."""

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
    reason: str | None = Field(default=None, description="Why it was rejected or is invalid.")
    event_id: str
    sequence: int = Field(description="The event that created it.")


class CandidatePage(Wire):
    """A page of candidates; ``next`` is the cursor of the next page."""

    candidates: list[CandidateRow]
    next: str | None = None
    total: int = Field(description="Number of candidates that match.")


class SourceFile(Wire):
    """One source file of a candidate."""

    path: str
    source: str


class SourceText(Wire):
    """A candidate as text. ``source`` is the whole text; ``files`` are its files."""

    language: str = Field(description="Language for syntax highlighting, such as python or json; else text.")
    source: str
    files: list[SourceFile] = Field(default_factory=list)


class ParentDetail(Wire):
    """A parent of a candidate. ``diff`` turns the parent's text into the candidate's."""

    genome_id: str
    candidate_id: str | None = Field(default=None, description="The parent's first candidate in this run, if any.")
    birth: int | None = None
    operator: str | None = None
    text: SourceText | None = None
    diff: str | None = Field(default=None, description="A unified diff; null if either text is missing.")


class EvidenceItem(Wire):
    """One operation on the candidate, with its recorded findings."""

    operation_id: str
    step: str
    kind: str | None
    word: str = Field(description="The domain's word for the step; defaults to the step's name.")
    name: str = Field(description="The alias of its event in streams; defaults to the step's name.")
    outcome: Literal["in_flight", "completed", "degraded", "failed"]
    attempt: int
    energy: int
    usage: Usage
    findings: DomainPayload | None = None
    error: Reason | None = None
    isolation: str | None = Field(default=None, description="The weakest isolation tier that any part of it ran in.")
    lookups: Lookups | None = None
    started: int | None = None
    started_at: datetime | None = None
    ended: int | None = None
    ended_at: datetime | None = None
    trace_id: str | None = None
    event_id: str | None = Field(default=None, description="The event that ended it, or started it if it is in flight.")


class VerdictItem(Wire):
    """A verdict of the gate on the candidate, or a change of its adoption."""

    what: Literal["verdict", "adopted", "confirmed", "revoked"]
    sequence: int
    event_id: str
    decision: Decision | None = None
    mode: str | None = None
    n: int | None = None
    alpha: float | None = Field(default=None, description="The part of the error budget that this challenge spent.")
    k: int | None = Field(default=None, description="The number of the challenge in its niche.")
    niche: str | None = None
    policy: str | None = None
    intervals: list[GateInterval] = Field(default_factory=list)
    reason: str | None = None
    verdict: Verdict | None = Field(default=None, description="In full: metrics, relations, violations and looks.")


class ModelCall(Wire):
    """One model call for the candidate or its genome."""

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
    """Everything that the log contains about one candidate."""

    run_id: str
    sequence: int = Field(description="The last event that this answer includes.")
    candidate_id: str
    genome_id: str
    birth: int
    generation_id: str | None = None
    status: CandidateStatus
    summary: str
    reason: str | None = None
    text: SourceText | None = None
    content: DomainPayload = Field(description="The recorded content.")
    parents: list[ParentDetail]
    fitness: FitnessScore | None = None
    evidence: list[EvidenceItem]
    verdicts: list[VerdictItem]
    model_calls: list[ModelCall]
    energy: int = Field(description="Total energy charged for the candidate.")
    explanation: Explanation


ProofState = Literal["confirmed", "adopted", "nothing", "open"]


class NicheProof(Wire):
    """The result of one niche of a run, and its error budget ``alpha`` for all challenges together (rule 10).

    Earlier runs made ``before`` challenges; this run made ``challenges``, which spent ``spent`` of ``alpha``.
    """

    niche: str
    alpha: float | None = None
    spent: float = 0.0
    challenges: int = 0
    before: int = 0
    champion_id: str | None = Field(default=None, description="The candidate that this run adopted and did not revoke.")
    champion_before: EarlierChampion | None = Field(
        default=None, description="The champion from an earlier run; it stands if this run adopts none."
    )
    state: ProofState = "open"
    said: str = Field(default="", description="The result of the niche, in one sentence.")
    text: SourceText | None = Field(default=None, description="The champion as text.")


class ReplayProof(Wire):
    """The expected result of a replay, with the digests in the run's last event."""

    events: int
    head_hash: str | None = None
    state_digest: str | None = None
    outcome_digest: str | None = None
    command: str = Field(description="The command that replays the run.")


class CapEnd(Wire):
    """A cap that the run reached."""

    cap: CapName
    limit: int
    used: int


class FinalProof(Wire):
    """The result of a run, and the proof of its winner, if it has one."""

    run_id: str
    sequence: int
    status: RunStatus | None
    over: bool
    reason: str | None = None
    said: str = Field(
        description="The result as proven by the log, in one sentence; with several niches, one per winner."
    )
    state: ProofState
    winner: CandidateDetail | None = Field(
        default=None, description="The champion of the first niche that has one, adopted through the gate."
    )
    best: CandidateDetail | None = Field(
        default=None, description="If nothing was adopted: the candidate with the best score, without proof."
    )
    founder: CandidateDetail | None = Field(
        default=None, description="The comparison: the first founder that is not from an earlier run."
    )
    patch: str | None = Field(default=None, description="Unified diff from the founder to the winner.")
    verdict: VerdictItem | None = None
    audit: EvidenceItem | None = Field(
        default=None, description="The winner's last audit, which is no part of selection."
    )
    revoked: list[VerdictItem] = Field(default_factory=list)
    niches: list[NicheProof] = Field(description="The niches of the run in their order, each with its error budget.")
    caps: list[CapEnd] = Field(default_factory=list)
    digest: str | None = Field(default=None, description="The recorded outcome digest.")
    replay: ReplayProof
    figures: dict[str, JsonValue] = Field(default_factory=dict, description="Best fitness, cost, tokens and more.")

"""The shape of a report, and the words and rows that a domain puts into it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from mendel.contracts.base import Contract, Count
from mendel.contracts.events.run import CapName
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Reason, Verdict
from mendel.projections.health import ClosedNiche, FailedStep
from mendel.projections.lineage import EarlierChampion

Files = dict[str, str]
"""Sources by path."""

RefusedBy = Literal["gate", "challenge", "audit", "unchallenged", "examination"]


class TaskView(Contract):
    """What the run was to improve.

    Only ``path`` and ``objectives`` have to be there; nothing is drawn of what a domain leaves out. ``main`` is the
    file that the run was about, ``function`` what of it. One that does not contend is for comparison: nothing of it is
    put before the gate. ``one_call``: the function takes no arguments, so that there is one thing to ask it and no
    size. Without ``same_answers`` scores were compared alone. ``factors`` are the objectives whose gains are powers of
    two over the original, each with its words: ``("faster", "as fast as")``; any other gain is a number of its own.
    """

    path: str
    main: str | None = None
    function: str | None = None
    objectives: dict[str, float]
    seen_sizes: tuple[int, ...] = ()
    timing_size: int | None = None
    held_sizes: tuple[int, ...] = ()
    contends: bool = True
    one_call: bool = False
    same_answers: bool = True
    asks_models: bool = False
    factors: dict[str, tuple[str, str]] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        """What was to be improved, in one word: the function, else the file without its folder."""
        return self.function or (self.main or self.path).rpartition("/")[2]

    @property
    def about_speed(self) -> bool:
        """Whether it was to become faster."""
        return "speed" in self.objectives

    @property
    def in_factors(self) -> bool:
        """Whether a total is the logarithm, to base two, of one factor over the original."""
        return len(self.objectives) == 1 and self.objectives.keys() <= self.factors.keys()


class Words(Contract):
    """How a domain says what became of candidates: ``twin`` begins the reason of a duplicate, ``fell`` is by stage."""

    twin: str
    duplicate: str
    fell: dict[str, str]


class TaskRow(Contract):
    """What a domain says of a run's task; ``original`` are files that may change, ``paths`` what users call them.

    Where nobody calls them anything there is no patch: the material is none of the user's files. Without ``original``
    the first founder's files are what others are compared with.
    """

    view: TaskView
    words: Words
    original: Files | None = None
    paths: dict[str, str] = Field(default_factory=dict)


class TraitsRow(Contract):
    """What a genome inherits, as texts by name, and how it came about."""

    files: Files
    operator: str | None = None
    note: str = ""


class ExaminationRow(Contract):
    """An examination of a candidate: ``right`` of ``cases`` were answered as they should be."""

    cases: Count = 0
    right: Count = 0


class TimingRow(Contract):
    """A timing of a candidate, apart from its examination."""


class EvidenceRow(Contract):
    """How many times as fast as the original: an estimate with its interval, at a size of input where there are any.

    Of another ``objective`` than speed it is how many times as good, in the words that the task has for its factors.
    """

    size: int | None = None
    speedup: float
    lower: float
    upper: float
    original_ms: float | None = None
    samples: Count = 0
    objective: str = "speed"

    @property
    def rank(self) -> int:
        """Evidence without a size stands before all others."""
        return -1 if self.size is None else self.size


class AuditRow(Contract):
    """What an audit says of an adopted candidate; ``gains`` over the original are of objectives without a clock."""

    agrees: bool
    cases: Count
    detail: str = ""
    sizes: tuple[EvidenceRow, ...] = ()
    gains: dict[str, float] = Field(default_factory=dict)


class SpeedInterval(Contract):
    """How many times faster than what it was compared with; each bound misses with ``alpha`` at most."""

    estimate: float
    lower: float | None
    upper: float | None
    alpha: float


class Winner(Contract):
    """The candidate of a niche that was let in last there and not thrown out again.

    ``state`` is ``made`` until its audit agreed. ``replaces`` is the candidate that the gate compared it with; the
    original where there is none. ``time`` is what the gate saw of its speed, beside that one. ``speedup`` is what the
    search saw, over the original.
    """

    candidate_id: str
    genome_id: str
    birth: Count
    state: Literal["made", "confirmed"]
    replaces: str | None
    total: float | None
    gains: dict[str, float]
    speedup: float | None
    files: Files
    verdict: Verdict
    time: SpeedInterval | None
    audits: tuple[AuditRow, ...]

    @property
    def sizes(self) -> tuple[EvidenceRow, ...]:
        """The speed-up over the original by size, the smallest first; of two audits the later counts."""
        found = {each.size: each for audit in self.audits for each in audit.sizes}
        return tuple(sorted(found.values(), key=lambda each: each.rank))


class ChallengeRow(Contract):
    """One challenge: who stood before the gate, what that spent, and what came of it.

    ``failed``: the gate could not be asked to the end. ``revoked``: it was let in, and its audit threw it out.
    """

    candidate_id: str
    birth: Count | None
    total: float | None
    k: Count
    alpha: float
    n: Count
    decision: Literal["adopt", "reject", "undecided", "failed"]
    revoked: bool
    codes: tuple[str, ...]
    message: str


class NicheRow(Contract):
    """What a run did in one of its niches; each has a winner, a k and an error budget of its own (rule 10).

    ``k`` counts the challenges there, those of earlier runs (``challenges_before``) included. This run's took ``spent``
    of the budget ``alpha``. ``lineage`` goes from the founder to the winner, which is compared with ``original``.
    """

    niche: str
    alpha: float | None
    challenges_before: Count
    k: Count
    spent: float
    champion_before: EarlierChampion | None
    winner: Winner | None
    best: float | None
    challenges: tuple[ChallengeRow, ...]
    curve: tuple[CurvePoint, ...]
    lineage: tuple[LineageStep, ...] = ()
    original: Files = Field(default_factory=dict)


class LineageStep(Contract):
    """One genome on the way from the founder to the winner, and how it differs from the one before.

    ``others`` are the births of further parents. ``patch`` is the difference as a unified diff; of one that was taken
    over from an earlier run, the difference from the original.
    """

    genome_id: str
    candidate_id: str | None
    birth: Count
    operator: str | None
    note: str
    others: tuple[int, ...]
    total: float | None
    speedup: float | None
    patch: str
    inherited: str | None = Field(default=None, description="the earlier run that it was taken over from")


class CurvePoint(Contract):
    """The best total once ``examined`` candidates were; ``birth`` is the candidate's whose score it was taken at."""

    birth: Count
    examined: Count
    seconds: float
    best: float


class FrontRow(Contract):
    """One of those whom nobody beats in every objective at once, with its gains as the search measured them.

    Gains are powers of two over the original; a score is itself. Only a winner is told although it is ``dominated``.
    """

    candidate_id: str
    birth: Count
    operator: str | None
    total: float | None
    gains: dict[str, float]
    original: bool
    winner: bool
    dominated: bool
    inherited: str | None = Field(default=None, description="the earlier run that it was taken over from")


class Counts(Contract):
    """What became of everybody; ``fell`` counts by the stage, the most frequent first.

    ``barren`` are variations that made nothing, ``failures`` the most frequent reasons for that with their counts, the
    first being the most frequent; ``examined`` are candidates that went through the cascade before timing.
    """

    births: Count = 0
    barren: Count = 0
    failures: dict[str, int] = Field(default_factory=dict)
    duplicates: Count = 0
    examined: Count = 0
    fell: dict[str, int] = Field(default_factory=dict)
    timed: Count = 0
    scored: Count = 0
    challenged: Count = 0
    adopted: Count = 0


class OperatorRow(Contract):
    """How an operator did: a child improves if it scores higher than the best of its parents, by ``best_gain``."""

    operator: str
    tries: Count
    barren: Count
    scored: Count
    improvements: Count
    best_gain: float | None


class Cost(Contract):
    """What the run took. Wall time runs from its start to its last event.

    ``examined`` are candidates, ``evaluations`` programs run against cases.
    """

    energy: Count = 0
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0
    examined: Count = 0
    evaluations: Count = 0
    opcodes: Count = 0
    tokens: Count = 0
    cost_microusd: Count = 0


class CallRow(Contract):
    """What a source of models was asked in a role: ``calls`` that were made, ``failed`` of them without an answer.

    ``name`` is what the ensemble knows it by; none where the run's plan does not have it.
    """

    name: str | None
    role: ModelRole
    route: str
    calls: Count
    failed: Count
    tokens_in: Count
    tokens_out: Count
    cost_microusd: Count


class CapEnding(Contract):
    """The cap that ended the run: its limit, and what of it was used when nothing more fitted."""

    cap: CapName
    limit: Count
    used: Count


class BestRejected(Contract):
    """The best candidate that did not come through, and why.

    ``by``: the gate, a challenge that failed, the audit after the gate, the examination before scoring;
    ``unchallenged`` if it never stood before the gate. ``right`` of ``cases`` were answered as they should be, where
    that is known.
    """

    candidate_id: str
    birth: Count
    operator: str | None
    note: str
    total: float | None
    speedup: float | None
    by: RefusedBy
    reasons: tuple[Reason, ...]
    files: Files
    verdict: Verdict | None = None
    right: Count | None = None
    cases: Count | None = None


class ReportView(Contract):
    """What one can say of a run after the event ``sequence_through``.

    Of a run of a domain without rows it says what all runs have in common. ``lineage`` goes from the founder to the
    winner; ``best`` is the highest total, ``original_total`` the founder's. Where a domain names no original and there
    are several founders, there is none, and ``original_fell`` says why the founders fell, if all did.
    """

    run_id: str
    sequence_through: Count
    domain: str | None
    status: RunStatus | None
    ended: str | None = Field(description="why it ended as it did, where the log says so")
    started_at: AwareDatetime
    seed: int | None
    selector: str | None
    alpha: float | None = Field(description="the error budget of all challenges in one niche together")
    task: TaskView | None
    words: Words | None = None
    paths: dict[str, str] = Field(default_factory=dict, description="what the user calls the files")
    original: Files
    founders: Count = Field(default=0, description="how many the run began with, beside those of earlier runs")
    has_original: bool = Field(default=True, description="whether there is one thing that all are compared with")
    original_total: float | None
    original_fell: tuple[Reason, ...] = Field(default=(), description="why the founder itself fell, if it did")
    best: float | None
    champion_before: EarlierChampion | None = Field(default=None, description="the champion that the run found")
    niches: tuple[NicheRow, ...] = Field(
        default=(), description="what was done in each niche, the run's first one first"
    )
    winner: Winner | None = Field(description="that of the first niche that has one")
    challenges: tuple[ChallengeRow, ...]
    lineage: tuple[LineageStep, ...]
    curve: tuple[CurvePoint, ...]
    counts: Counts
    failed_steps: tuple[FailedStep, ...] = Field(default=(), description="the steps of which operations failed")
    closed_niches: tuple[ClosedNiche, ...] = Field(
        default=(), description="niches that make no more challenges, since the last ones failed"
    )
    operators: tuple[OperatorRow, ...]
    cost: Cost
    rejected: BestRejected | None
    front: tuple[FrontRow, ...] = Field(default=(), description="the Pareto front; empty where one objective counts")
    calls: tuple[CallRow, ...] = Field(default=(), description="what each source of models was asked, by role")
    capped: CapEnding | None = Field(default=None, description="the cap that ended the run, if one did")


# What a domain puts into the report of its runs: its words, and its data as rows that every report has.


Row = TaskRow | TraitsRow | ExaminationRow | TimingRow | AuditRow
"""What was to be improved, what was bred, and what an examination, timing or an audit found of it."""


@dataclass(frozen=True)
class Rows:
    """A domain's part. ``kinds`` are what it registered, and ``row`` tells one of them; what is none has no row."""

    domain: str
    kinds: Mapping[str, type[BaseModel]]
    row: Callable[[Any], Row | None]

    def of(self, payload: DomainPayload | None) -> Row | None:
        """The row of a payload; None if it is another domain's, another kind, or of a shape unknown here."""
        if payload is None or payload.domain != self.domain or payload.kind not in self.kinds:
            return None
        try:
            return self.row(self.kinds[payload.kind].model_validate(payload.data))
        except ValidationError:
            return None


def no_rows(domain: str) -> Rows:
    """Of a domain that puts nothing into a report."""
    return Rows(domain, {}, lambda _: None)

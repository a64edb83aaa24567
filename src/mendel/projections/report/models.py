"""The structure of a report, and the words and rows that a domain contributes to it."""

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
    """The task of a run: what it should improve.

    Only ``path`` and ``objectives`` are required; the report leaves out everything else that a domain does not set.
    ``main`` is the file that the run was about, ``function`` the function in it. A task that does not contend is for
    comparison: none of its candidates is put before the gate. ``one_call``: the function takes no arguments, so there
    is a single input and no size. Without ``same_answers``, only scores were compared. ``factors`` are the objectives
    with gains that are powers of two over the original, each with its words: ``("faster", "as fast as")``; any other
    gain is a plain number.
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
        """The name of the improved thing: the function, or else the file without its folder."""
        return self.function or (self.main or self.path).rpartition("/")[2]

    @property
    def about_speed(self) -> bool:
        """Whether speed is an objective."""
        return "speed" in self.objectives

    @property
    def in_factors(self) -> bool:
        """Whether a total is the logarithm, to base two, of one factor over the original."""
        return len(self.objectives) == 1 and self.objectives.keys() <= self.factors.keys()


class Words(Contract):
    """A domain's words for the ends of candidates: ``twin`` starts a duplicate's reason, ``fell`` has one per stage."""

    twin: str
    duplicate: str
    fell: dict[str, str]


class TaskRow(Contract):
    """A domain's data about a run's task; ``original`` are the files that may change, ``paths`` their names for users.

    Without ``paths`` there is no patch, because the material is not one of the user's files. Without ``original``,
    candidates are compared with the files of the first founder.
    """

    view: TaskView
    words: Words
    original: Files | None = None
    paths: dict[str, str] = Field(default_factory=dict)


class TraitsRow(Contract):
    """A genome's traits as texts by file name, with its operator and a note about its origin."""

    files: Files
    operator: str | None = None
    note: str = ""


class ExaminationRow(Contract):
    """An examination of a candidate: ``right`` of ``cases`` had the expected result."""

    cases: Count = 0
    right: Count = 0


class TimingRow(Contract):
    """A timing of a candidate, separate from its examination."""


class EvidenceRow(Contract):
    """The speed-up over the original: an estimate with its interval, at one input size if inputs have sizes.

    For another ``objective`` than speed it is the factor of improvement, described by the task's words for its factors.
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
        """The sort key by size; evidence without a size comes first."""
        return -1 if self.size is None else self.size


class AuditRow(Contract):
    """The result of an adopted candidate's audit; ``gains`` over the original are of objectives without a clock."""

    agrees: bool
    cases: Count
    detail: str = ""
    sizes: tuple[EvidenceRow, ...] = ()
    gains: dict[str, float] = Field(default_factory=dict)


class SpeedInterval(Contract):
    """The speed-up over the compared candidate; each bound is wrong with a probability of at most ``alpha``."""

    estimate: float
    lower: float | None
    upper: float | None
    alpha: float


class Winner(Contract):
    """The candidate adopted last in a niche, without a revocation since.

    ``state`` is ``made`` until its audit has agreed. ``replaces`` is the candidate that the gate compared it with; None
    means the original. ``time`` is its speed compared with that candidate, measured by the gate. ``speedup`` is its
    speed compared with the original, measured by the search.
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
        """The speed-ups over the original by size, the smallest first; a later audit replaces an earlier one."""
        found = {each.size: each for audit in self.audits for each in audit.sizes}
        return tuple(sorted(found.values(), key=lambda each: each.rank))


class ChallengeRow(Contract):
    """One challenge: the challenger, the spent share of the error budget, and the result.

    ``failed``: the challenge ended without a verdict. ``revoked``: the candidate was adopted, and its audit revoked it.
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
    """A run's results in one of its niches; each has its own winner, k and error budget (rule 10).

    ``k`` is the number of challenges there, including those of earlier runs (``challenges_before``). This run's have
    spent ``spent`` of the budget ``alpha``. ``lineage`` leads from the founder to the winner, which is compared with
    ``original``.
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
    """One genome on the way from the founder to the winner, with its difference from the genome before.

    ``others`` are the births of further parents. ``patch`` is the difference as a unified diff; for a genome from an
    earlier run, the difference from the original.
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
    """The best total after ``examined`` candidates; ``birth`` is the candidate scored at this point."""

    birth: Count
    examined: Count
    seconds: float
    best: float


class FrontRow(Contract):
    """A candidate on the Pareto front of the objectives, with its gains as measured by the search.

    Gains are powers of two over the original, or plain scores. Only a winner is listed even if it is ``dominated``.
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
    """The ends of all candidates; ``fell`` counts failed candidates by stage, the most frequent first.

    ``barren`` are variations without a result, ``failures`` the most frequent reasons for that with their counts, the
    most frequent first; ``examined`` are candidates that went through the cascade before timing.
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
    """The results of an operator: a child improves if it scores above its best parent, at most by ``best_gain``."""

    operator: str
    tries: Count
    barren: Count
    scored: Count
    improvements: Count
    best_gain: float | None


class Cost(Contract):
    """The resources that a run used. Wall time runs from its start to its last event.

    ``examined`` is a number of candidates, ``evaluations`` a number of programs run against cases.
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
    """The calls to one source of models in one role: ``calls`` in total, ``failed`` of them without a response.

    ``name`` is its name in the ensemble; None if the run's plan does not contain it.
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
    """The cap that ended the run: its limit, and the amount used when nothing more fitted."""

    cap: CapName
    limit: Count
    used: Count


class BestRejected(Contract):
    """The best candidate that was not adopted or did not stay so, with the reasons.

    ``by``: the gate, a challenge that failed, the audit after the gate, the examination before scoring;
    ``unchallenged`` if it never was before the gate. ``right`` of ``cases`` had the expected result, if known.
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
    """The report of a run after the event ``sequence_through``.

    For a domain without rows it contains what all runs have in common. ``lineage`` leads from the founder to the
    winner; ``best`` is the highest total, ``original_total`` the founder's. If a domain names no original and there
    are several founders, there is no original, and ``original_fell`` says why the founders failed, if all did.
    """

    run_id: str
    sequence_through: Count
    domain: str | None
    status: RunStatus | None
    ended: str | None = Field(description="why the run ended, if the log says so")
    started_at: AwareDatetime
    seed: int | None
    selector: str | None
    alpha: float | None = Field(description="the error budget for all challenges in one niche")
    task: TaskView | None
    words: Words | None = None
    paths: dict[str, str] = Field(default_factory=dict, description="the user's names for the files")
    original: Files
    founders: Count = Field(default=0, description="number of founders, without those of earlier runs")
    has_original: bool = Field(default=True, description="whether all candidates are compared with one original")
    original_total: float | None
    original_fell: tuple[Reason, ...] = Field(default=(), description="why the original itself failed, if it did")
    best: float | None
    champion_before: EarlierChampion | None = Field(default=None, description="the champion at the run's start")
    niches: tuple[NicheRow, ...] = Field(
        default=(), description="the results in each niche, the run's first niche first"
    )
    winner: Winner | None = Field(description="the winner of the first niche that has one")
    challenges: tuple[ChallengeRow, ...]
    lineage: tuple[LineageStep, ...]
    curve: tuple[CurvePoint, ...]
    counts: Counts
    failed_steps: tuple[FailedStep, ...] = Field(default=(), description="the steps with failed operations")
    closed_niches: tuple[ClosedNiche, ...] = Field(
        default=(), description="niches without further challenges because the last ones failed"
    )
    operators: tuple[OperatorRow, ...]
    cost: Cost
    rejected: BestRejected | None
    front: tuple[FrontRow, ...] = Field(default=(), description="the Pareto front; empty with only one objective")
    calls: tuple[CallRow, ...] = Field(default=(), description="the calls to each source of models, by role")
    capped: CapEnding | None = Field(default=None, description="the cap that ended the run, if one did")


# A domain's contribution to the reports of its runs: its words, and its data as rows that every report has.


Row = TaskRow | TraitsRow | ExaminationRow | TimingRow | AuditRow
"""A task, a genome's traits, or the result of an examination, a timing or an audit."""


@dataclass(frozen=True)
class Rows:
    """A domain's conversion of payloads to rows: ``kinds`` are its models by kind, ``row`` converts one."""

    domain: str
    kinds: Mapping[str, type[BaseModel]]
    row: Callable[[Any], Row | None]

    def of(self, payload: DomainPayload | None) -> Row | None:
        """Return the row of a payload; None if it has another domain, another kind, or an unknown shape."""
        if payload is None or payload.domain != self.domain or payload.kind not in self.kinds:
            return None
        try:
            return self.row(self.kinds[payload.kind].model_validate(payload.data))
        except ValidationError:  # a shape that this version of the domain's model cannot read
            return None


def no_rows(domain: str) -> Rows:
    """Return the rows of a domain that contributes nothing to a report."""
    return Rows(domain, {}, lambda _: None)

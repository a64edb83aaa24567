"""Verdicts: what the gate said, with everything a reader needs to check it."""

from __future__ import annotations

from enum import StrEnum
from math import pi
from typing import Annotated, Final, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from mendel.contracts.base import Contract, JsonObject, Name, Share, Text
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.ids import CandidateId, OperationId

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
LONGEST_NICHE = 300
Niche = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NICHE)]
"""Function, spec, subtype or live world whose champion and error budget outlive runs."""


class Decision(StrEnum):
    """Undecided is an answer of its own: more data could tell."""

    ADOPT = "adopt"
    REJECT = "reject"
    UNDECIDED = "undecided"


class Reason(Contract):
    """Why, with a code that stays the same when the sentence is improved."""

    code: Name
    message: Text


class Interval(Contract):
    """An estimate with its one-sided or two-sided bounds and the method that drew them."""

    name: Name
    estimate: float
    lower: float | None = None
    upper: float | None = None
    alpha: Share
    method: Name


class Challenge(Contract):
    """Which challenge of its niche this was, and what it may spend of the error budget (rule 10)."""

    niche: Niche
    k: Annotated[int, Field(ge=1)]
    alpha: Share

    @classmethod
    def nth(cls, niche: Niche, k: int, alpha: float) -> Challenge:
        """The k-th challenge of a niche whose whole error budget is ``alpha``; over all k the shares add up to it.

        Raises:
            ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"the challenges of a niche are numbered from 1, not {k}")
        return cls(niche=niche, k=k, alpha=alpha * 6 / (pi**2 * k**2))


MOST_FAILED_CHALLENGES: Final = 3
"""After this many failed challenges in a row, without a verdict between them, a run makes no more in that niche."""


Shown = Annotated[str, StringConstraints(max_length=10_000)]


class Violation(Contract):
    """One case that speaks against a side, as small as it could be made, with what is needed to see it again.

    ``arguments`` are the case's own, as ``value_json`` writes them; None where they are too large to keep.
    """

    kind: Literal["mismatch", "property", "relation", "failure"]
    name: Annotated[str, StringConstraints(min_length=1, max_length=500)]
    side: Literal["candidate", "baseline"] = "candidate"
    case: Annotated[int, Field(ge=0)]
    detail: Shown = ""
    input: Shown = ""
    expected: Shown = ""
    got: Shown = ""
    arguments: list[JsonValue] | None = None
    shrunk: bool = False


class MetricSummary(Contract):
    """A metric's values on one side."""

    n: Annotated[int, Field(ge=1)]
    mean: float
    sum: float
    median: float
    stdev: float
    min: float
    max: float


class MetricComparison(Contract):
    """One metric on both sides, over the same cases.

    The delta is candidate less baseline, in the metric's own unit; of a timing it is the ratio.
    """

    kind: Name
    higher_is_better: bool
    n: Annotated[int, Field(ge=0)]
    baseline: MetricSummary
    candidate: MetricSummary
    delta: Interval
    effect_size: float | None = None
    p_better: Share | None = None
    p_worse: Share | None = None


class RelationComparison(Contract):
    """How often a relation was violated on either side, and the corrected chance of that if neither were worse."""

    category: str | None = None
    n: Annotated[int, Field(ge=0)]
    baseline_violations: Annotated[int, Field(ge=0)]
    candidate_violations: Annotated[int, Field(ge=0)]
    p_worse: Share


class Look(Contract):
    """What a sequential test saw at one of its looks."""

    n: Annotated[int, Field(ge=1)]
    interval: Interval
    decision: Decision


class SandboxProvenance(Contract):
    """Under which isolation the observations were made."""

    tier: Name
    weakened: bool = False
    fingerprint: Text | None = None
    backend: str = ""
    layers: tuple[str, ...] = ()
    missing: dict[str, str] = Field(default_factory=dict)


class SampleProvenance(Contract):
    """Which recorded samples a verdict was made from.

    ``recorded`` counts them with repeats, ``operations`` are those that recorded them, ``cases`` is the digest of the
    sorted case ids. ``sandboxed`` is what the judge was told of the domain's registration; the kernel takes no verdict
    that was told otherwise.
    """

    recorded: Annotated[int, Field(ge=0)]
    operations: tuple[OperationId, ...]
    cases: Digest
    sandboxed: bool


class Provenance(Contract):
    """What the verdict was made from.

    Of programs the hashes are of the task and of both sources; of recorded samples, of what was asked and of both
    sides' values, and ``samples`` says where these stand in the log.
    """

    sandbox: SandboxProvenance
    spec_hash: Digest
    candidate_hash: Digest
    baseline_hash: Digest | None = None
    seeds: dict[Name, int] = Field(default_factory=dict)
    versions: dict[str, str] = Field(default_factory=dict)
    platform: str = ""
    samples: SampleProvenance | None = None


class Verdict(Contract):
    """One decision of the gate about one candidate."""

    candidate_id: CandidateId
    decision: Decision
    mode: Literal["exact", "statistical", "absolute"]
    policy: Text
    challenge: Challenge
    n: Annotated[int, Field(ge=0)]
    n_to_decide: Annotated[int, Field(ge=1)] | None = None
    reasons: tuple[Reason, ...] = Field(min_length=1)
    intervals: tuple[Interval, ...] = ()
    summaries: JsonObject = Field(default_factory=dict)
    violations: tuple[Violation, ...] = ()
    metrics: dict[str, MetricComparison] = Field(default_factory=dict)
    relations: dict[str, RelationComparison] = Field(default_factory=dict)
    looks: tuple[Look, ...] = ()
    warnings: tuple[Reason, ...] = ()
    flaky: bool = False
    report: BlobRef | None = None
    provenance: Provenance

    @model_validator(mode="after")
    def _nothing_weakened_is_adopted(self) -> Self:
        if self.decision is Decision.ADOPT and self.provenance.sandbox.weakened:
            raise ValueError("a result obtained under a weakened sandbox can never be adopted (rule 3)")
        return self

"""Verdicts of the gate, with everything that a reader needs to check them."""

from __future__ import annotations

from enum import StrEnum
from math import pi
from typing import Annotated, Final, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from mendel.contracts.base import Contract, JsonObject, Name, Share, Text
from mendel.contracts.evidence_refs import BlobRef
from mendel.contracts.ids import CandidateId, OperationId

Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
LONGEST_NICHE = 300  # characters
Niche = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_NICHE)]
"""Name of a niche: a function, spec, subtype or live world, whose champion and error budget outlast single runs."""


class Decision(StrEnum):
    """Decision of the gate. ``undecided`` means that more data could lead to a decision."""

    ADOPT = "adopt"
    REJECT = "reject"
    UNDECIDED = "undecided"


class Reason(Contract):
    """A reason: a stable code, and a message whose wording may change."""

    code: Name
    message: Text


class Interval(Contract):
    """An estimate, its one-sided or two-sided confidence interval at level ``alpha``, and the method used."""

    name: Name
    estimate: float
    lower: float | None = None
    upper: float | None = None
    alpha: Share
    method: Name


class Challenge(Contract):
    """The number of a challenge in its niche, and its share ``alpha`` of the niche's error budget (rule 10)."""

    niche: Niche
    k: Annotated[int, Field(ge=1)]
    alpha: Share

    @classmethod
    def nth(cls, niche: Niche, k: int, alpha: float) -> Challenge:
        """Return the k-th challenge of a niche with the error budget ``alpha``, to which the shares of all k add up.

        Raises:
            ValueError: ``k`` is below 1.
        """
        if k < 1:
            raise ValueError(f"the challenges of a niche are numbered from 1, not {k}")
        return cls(niche=niche, k=k, alpha=alpha * 6 / (pi**2 * k**2))  # the sum of 1/k**2 is pi**2/6


MOST_FAILED_CHALLENGES: Final = 3
"""A run stops challenging in a niche after this many failed challenges in a row without a verdict."""


Shown = Annotated[str, StringConstraints(max_length=10_000)]


class Violation(Contract):
    """One counterexample against the candidate or the baseline, with the data to reproduce it.

    ``shrunk``: the case was reduced. ``arguments`` has its arguments in the form of ``value_json``, or None if they are
    too large to store.
    """

    # mismatch: the outputs differ; failure: the program raised or ended without a result.
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
    """Summary statistics of a metric for the candidate or for the baseline."""

    n: Annotated[int, Field(ge=1)]
    mean: float
    sum: float
    median: float
    stdev: float
    min: float
    max: float


class MetricComparison(Contract):
    """Comparison of candidate and baseline by one metric, over the same cases.

    ``delta`` is candidate minus baseline, in the unit of the metric; for timings it is their ratio.
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
    """Violations of a relation by candidate and baseline, with the corrected p-value of the candidate being worse."""

    category: str | None = None
    n: Annotated[int, Field(ge=0)]
    baseline_violations: Annotated[int, Field(ge=0)]
    candidate_violations: Annotated[int, Field(ge=0)]
    p_worse: Share


class Look(Contract):
    """One interim analysis of a sequential test."""

    n: Annotated[int, Field(ge=1)]
    interval: Interval
    decision: Decision


class SandboxProvenance(Contract):
    """Isolation of the sandbox in which the observations were made."""

    tier: Name
    weakened: bool = False
    fingerprint: Text | None = None
    backend: str = ""
    layers: tuple[str, ...] = ()
    missing: dict[str, str] = Field(default_factory=dict)


class SampleProvenance(Contract):
    """The recorded samples behind a verdict.

    ``recorded`` is their number with repeats, ``operations`` lists the operations that recorded them, ``cases`` is the
    digest of the sorted case ids. ``sandboxed``: whether the judge assumed that the domain runs in a sandbox; the
    kernel refuses a verdict whose assumption differs from the domain's registration.
    """

    recorded: Annotated[int, Field(ge=0)]
    operations: tuple[OperationId, ...]
    cases: Digest
    sandboxed: bool


class Provenance(Contract):
    """Inputs of a verdict.

    For programs, the hashes cover the task and both sources. For recorded samples, they cover the question and the
    values of both sides, and ``samples`` refers to the samples in the log.
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
    """Decision of the gate about one candidate."""

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
        # Part of the model, so that no code path can record such a verdict.
        if self.decision is Decision.ADOPT and self.provenance.sandbox.weakened:
            raise ValueError("a result obtained under a weakened sandbox can never be adopted (rule 3)")
        return self

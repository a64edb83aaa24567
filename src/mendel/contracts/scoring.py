"""Fitness, decomposed and bound to the version of the policy that weighed it; and the held-out judge's answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, Text
from mendel.contracts.ids import CandidateId
from mendel.contracts.providers import ProviderMeta

PolicyVersion = Annotated[str, Field(min_length=1, max_length=100)]


class ScoringPolicy(Contract):
    """How components become a total. What breeds can neither see nor move it (rule 6)."""

    version: PolicyVersion = "default-1"
    weights: dict[Name, float] = Field(default_factory=dict)
    normalization: Name | None = None


class FitnessScore(Contract):
    """A candidate's fitness with every component it was made of.

    A component that could not be had is named in ``absent``, one that was estimated in ``estimated``; neither is
    ever silently zero. ``descriptor`` says where the candidate stands among behaviours; it is not part of the total.
    """

    candidate_id: CandidateId
    total: float
    components: dict[Name, float]
    policy_version: PolicyVersion
    estimated: tuple[Name, ...] = ()
    absent: tuple[Name, ...] = ()
    descriptor: dict[Name, float] = Field(default_factory=dict)
    explanation: Text


class JudgeAxis(StrEnum):
    """The closed set of axes of the held-out rubric; nothing that breeds can add one."""

    GROUNDING = "grounding"
    NOVELTY = "novelty"
    FEASIBILITY = "feasibility"
    FALSIFICATION_SURVIVAL = "falsification_survival"
    SUBTYPE_CHECK_PASS = "subtype_check_pass"  # noqa: S105 - an axis, not a password


AxisScore = Annotated[float, Field(ge=0.0, le=5.0)]


class JudgeRubric(Contract):
    """The held-out rubric, immutable to whatever it judges."""

    axes: tuple[JudgeAxis, ...] = tuple(JudgeAxis)
    weights: dict[Name, float]
    policy_version: PolicyVersion
    immutable_to_agents: Literal[True] = True


class JudgeResult(Contract):
    """What the held-out judge answered; recorded whole, so that a replay never judges again."""

    candidate_id: CandidateId
    axis_scores: dict[JudgeAxis, AxisScore]
    axis_rationales: dict[JudgeAxis, Text] = Field(default_factory=dict)
    acceptance: float
    rubric_policy_version: PolicyVersion
    provider: ProviderMeta
    trace_id: Text | None = None

    @model_validator(mode="after")
    def _every_axis_is_scored(self) -> Self:
        missing = [axis.value for axis in JudgeAxis if axis not in self.axis_scores]
        if missing:
            raise ValueError(f"a judge scores every axis; missing: {', '.join(missing)}")
        return self

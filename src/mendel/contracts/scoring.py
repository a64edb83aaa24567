"""Fitness with its components and the version of its policy, and the result of the held-out judge."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, Text
from mendel.contracts.ids import CandidateId
from mendel.contracts.providers import ProviderMeta

PolicyVersion = Annotated[str, Field(min_length=1, max_length=100)]


class ScoringPolicy(Contract):
    """Rules that combine components into a total. Breeding can neither see nor change them (rule 6)."""

    version: PolicyVersion = "default-1"
    weights: dict[Name, float] = Field(default_factory=dict)
    normalization: Name | None = None


class FitnessScore(Contract):
    """A candidate's fitness with all its components.

    ``absent`` names the components that are missing, ``estimated`` the estimated ones; neither is ever silently zero.
    ``descriptor`` has the candidate's position on the behaviour axes; it is not part of the total.
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
    """The closed set of axes of the held-out rubric; breeding cannot add one."""

    GROUNDING = "grounding"
    NOVELTY = "novelty"
    FEASIBILITY = "feasibility"
    FALSIFICATION_SURVIVAL = "falsification_survival"
    SUBTYPE_CHECK_PASS = "subtype_check_pass"  # noqa: S105 - an axis, not a password


AxisScore = Annotated[float, Field(ge=0.0, le=5.0)]


class JudgeRubric(Contract):
    """The held-out rubric, immutable for everything that it judges."""

    axes: tuple[JudgeAxis, ...] = tuple(JudgeAxis)
    weights: dict[Name, float]
    policy_version: PolicyVersion
    immutable_to_agents: Literal[True] = True


class JudgeResult(Contract):
    """Result of the held-out judge, recorded completely, so that a replay never judges again."""

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
            raise ValueError(f"a judge must score every axis; missing: {', '.join(missing)}")
        return self

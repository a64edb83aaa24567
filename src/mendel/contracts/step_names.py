"""Seed names: review, check, judge, novelty, fusion and tool-call events of the ideas domain's specification.

In the log each is an operation with a step name; projections and streams show it under the name on the left.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from mendel.contracts.base import Contract, StepName

Phase = Literal["started", "completed", "failed", "degraded"]


class SeedEvent(Contract):
    """Which phase of which step an event name stands for."""

    step: StepName
    phase: Phase

    @property
    def event_type(self) -> str:
        """The lifecycle event that carries it; a degraded completion is flagged in its payload."""
        return f"operation.{'completed' if self.phase == 'degraded' else self.phase}"


def _bracket(step: str, started: str, completed: str) -> dict[str, SeedEvent]:
    return {started: SeedEvent(step=step, phase="started"), completed: SeedEvent(step=step, phase="completed")}


SEED_EVENTS: Final[Mapping[str, SeedEvent]] = MappingProxyType(
    {
        "candidate.generation_started": SeedEvent(step="ideas.generate", phase="started"),
        **_bracket("ideas.critic_review", "critic.review_started", "critic.reviewed"),
        **_bracket("ideas.check", "check.started", "check.completed"),
        **_bracket("ideas.judge", "judge.review_started", "judge.reviewed"),
        **_bracket("ideas.novelty", "novelty.scoring_started", "novelty.scored"),
        "novelty_scoring_degraded": SeedEvent(step="ideas.novelty", phase="degraded"),
        "fusion.started": SeedEvent(step="ideas.fusion", phase="started"),  # it ends in genome.fused
        **_bracket("ideas.tool_call", "tool_call.started", "tool_call.finished"),
    }
)


def seed_name(step: str, phase: Phase) -> str | None:
    """The name under which projections and streams show ``phase`` of ``step``, if it has one."""
    return _NAMES.get((step, phase))


def is_review(step: str) -> bool:
    """Whether somebody reviews in that step, by its name; else it is a check."""
    part = step.rpartition(".")[2]
    return any(word in part for word in _REVIEWERS)


_REVIEWERS: Final = ("review", "critic", "judge")
_NAMES: Final = {(event.step, event.phase): name for name, event in SEED_EVENTS.items()}

"""Caps: hard limits of a run. The kernel enforces them, and nothing can raise them (rule 1)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from mendel.contracts.base import Contract

MOST: Final = 2**53 - 1
"""Maximum of every cap: the largest integer that all JSON parsers represent exactly."""

Cap = Annotated[int, Field(gt=0, le=MOST)]


class RunCaps(Contract):
    """Hard limits of one run. Money is in millionths of a US dollar, time in milliseconds.

    One evaluation is one program run on one case.
    """

    max_population: Cap = 20
    max_generations: Cap = 10
    max_candidates: Cap = 10_000
    energy_budget: Cap = 100_000
    max_spawn_depth: Cap = 16
    max_tool_calls: Cap = 1_000
    max_tokens: Cap = 2_000_000
    max_cost_microusd: Cap = 5_000_000  # 5 US dollars
    wall_clock_ms: Cap = 3_600_000  # an hour
    max_evaluations: Cap = 1_000_000_000

    def above(self, ceiling: RunCaps) -> tuple[str, ...]:
        """Return the names of the caps that exceed ``ceiling``; a run with any is refused."""
        return tuple(name for name in RunCaps.model_fields if getattr(self, name) > getattr(ceiling, name))

    def clamped(self, ceiling: RunCaps) -> RunCaps:
        """Return these caps, each limited to its value in ``ceiling``."""
        lowered = {name: min(getattr(self, name), getattr(ceiling, name)) for name in RunCaps.model_fields}
        return RunCaps(**lowered)

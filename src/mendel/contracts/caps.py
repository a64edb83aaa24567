"""Caps: the limits that only the kernel enforces and nothing raises (rule 1)."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from mendel.contracts.base import Contract

MOST: Final = 2**53 - 1
"""What a cap can be at most: the largest whole number that JSON carries everywhere."""

Cap = Annotated[int, Field(gt=0, le=MOST)]


class RunCaps(Contract):
    """Hard limits of one run. Money is counted in millionths of a US dollar, time in milliseconds.

    An evaluation is one program run against one case.
    """

    max_population: Cap = 20
    max_generations: Cap = 10
    max_candidates: Cap = 10_000
    energy_budget: Cap = 100_000
    max_spawn_depth: Cap = 16
    max_tool_calls: Cap = 1_000
    max_tokens: Cap = 2_000_000
    max_cost_microusd: Cap = 5_000_000
    wall_clock_ms: Cap = 3_600_000
    max_evaluations: Cap = 1_000_000_000

    def above(self, ceiling: RunCaps) -> tuple[str, ...]:
        """Names of the caps that exceed ``ceiling``; a run is refused if there is any."""
        return tuple(name for name in RunCaps.model_fields if getattr(self, name) > getattr(ceiling, name))

    def clamped(self, ceiling: RunCaps) -> RunCaps:
        """These caps, none above ``ceiling``."""
        lowered = {name: min(getattr(self, name), getattr(ceiling, name)) for name in RunCaps.model_fields}
        return RunCaps(**lowered)

"""Energy: the integer currency of all spending, its price list, and the usage of an operation."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from mendel.contracts.base import Contract

ENERGY_UNIT: Literal["mendel_energy"] = "mendel_energy"

MAX_USAGE = 2**53 - 1
"""Maximum of every amount: the largest integer that all JSON parsers represent exactly."""

Amount = Annotated[int, Field(ge=0, le=MAX_USAGE)]
EnergyKind = Literal["llm", "tool", "spawn", "cpu"]
Price = Annotated[int, Field(ge=0)]
Divisor = Annotated[int, Field(gt=0)]


class Usage(Contract):
    """Resources used by an operation. Money is in millionths of a US dollar.

    One evaluation is one program run on one case. The sandbox port counts evaluations, whatever a handler reports.
    """

    tokens_in: Amount = 0
    tokens_out: Amount = 0
    tool_calls: Amount = 0
    spawns: Amount = 0
    cpu_ms: Amount = 0
    opcodes: Amount = 0
    wall_ms: Amount = 0
    peak_memory_bytes: Amount = 0
    cost_microusd: Amount = 0
    evaluations: Amount = 0


_AT_ONCE = frozenset({"wall_ms", "peak_memory_bytes"})
"""Amounts of nested operations that overlap: their maximum counts, not their sum."""


def added(usage: Usage, *others: Usage) -> Usage:
    """Return the usage of an operation including ``others``, which ran within it."""
    if not others:
        return usage
    every = (usage, *others)
    amounts = {name: [getattr(each, name) for each in every] for name in Usage.model_fields}
    return Usage(**{name: _joined(name, each) for name, each in amounts.items()})


def _joined(name: str, amounts: list[int]) -> int:
    return max(amounts) if name in _AT_ONCE else min(MAX_USAGE, sum(amounts))


class EnergyCosts(Contract):
    """The price list. It is recorded with the run, so that a replay charges the same energy.

    ``cpu_basis`` is the unit for computation in the sandbox: measured milliseconds, or counted opcodes if the objective
    is ``opcodes`` (a count is exactly repeatable, a time is not).
    """

    tokens_per_unit: Divisor = 1_000
    per_tool_call: Price = 5
    per_spawn: Price = 50
    cpu_ms_per_unit: Divisor = 100
    opcodes_per_unit: Divisor = 1_000_000
    cpu_basis: Literal["cpu_ms", "opcodes"] = "cpu_ms"

    def price(self, usage: Usage) -> int:
        """Return the energy that ``usage`` costs; every started unit counts in full."""
        tokens = _started(usage.tokens_in + usage.tokens_out, self.tokens_per_unit)
        calls = usage.tool_calls * self.per_tool_call + usage.spawns * self.per_spawn
        return tokens + calls + self._computing(usage)

    def _computing(self, usage: Usage) -> int:
        if self.cpu_basis == "opcodes":
            return _started(usage.opcodes, self.opcodes_per_unit)
        return _started(usage.cpu_ms, self.cpu_ms_per_unit)


def _started(amount: int, per_unit: int) -> int:
    return -(-amount // per_unit)  # rounds up without floats, which lose precision above 2**53

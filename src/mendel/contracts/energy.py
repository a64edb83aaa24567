"""Energy: the one integer currency of spend, its price list, and what an operation used."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from mendel.contracts.base import Contract

ENERGY_UNIT: Literal["mendel_energy"] = "mendel_energy"

MAX_USAGE = 2**53 - 1
"""What a report may say at most: an integer that every reader of JSON takes."""

Amount = Annotated[int, Field(ge=0, le=MAX_USAGE)]
EnergyKind = Literal["llm", "tool", "spawn", "cpu"]
Price = Annotated[int, Field(ge=0)]
Divisor = Annotated[int, Field(gt=0)]


class Usage(Contract):
    """What an operation used. Money in millionths of a US dollar.

    One evaluation is one program run against one case; the sandbox's port counts them, whatever a handler says.
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
"""Of what ran within something else the most counts, not the sum."""


def added(usage: Usage, *others: Usage) -> Usage:
    """What an operation used together with ``others`` that ran within it."""
    if not others:
        return usage
    every = (usage, *others)
    amounts = {name: [getattr(each, name) for each in every] for name in Usage.model_fields}
    return Usage(**{name: _joined(name, each) for name, each in amounts.items()})


def _joined(name: str, amounts: list[int]) -> int:
    return max(amounts) if name in _AT_ONCE else min(MAX_USAGE, sum(amounts))


class EnergyCosts(Contract):
    """The price list. It is recorded with the run, so that a replay charges what the run charged.

    ``cpu_basis`` says what sandboxed computing is charged by: measured milliseconds, or counted opcodes where the
    objective is ``opcodes`` (a count repeats exactly, a time does not).
    """

    tokens_per_unit: Divisor = 1_000
    per_tool_call: Price = 5
    per_spawn: Price = 50
    cpu_ms_per_unit: Divisor = 100
    opcodes_per_unit: Divisor = 1_000_000
    cpu_basis: Literal["cpu_ms", "opcodes"] = "cpu_ms"

    def price(self, usage: Usage) -> int:
        """Energy that ``usage`` costs; every started unit counts whole."""
        tokens = _started(usage.tokens_in + usage.tokens_out, self.tokens_per_unit)
        calls = usage.tool_calls * self.per_tool_call + usage.spawns * self.per_spawn
        return tokens + calls + self._computing(usage)

    def _computing(self, usage: Usage) -> int:
        if self.cpu_basis == "opcodes":
            return _started(usage.opcodes, self.opcodes_per_unit)
        return _started(usage.cpu_ms, self.cpu_ms_per_unit)


def _started(amount: int, per_unit: int) -> int:
    return -(-amount // per_unit)

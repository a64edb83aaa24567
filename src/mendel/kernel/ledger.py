"""The ledger: what was spent, what is reserved, what is left (rules 1 and 8).

Energy is charged for success only: an operation's worst case is reserved when it starts, and its completion replaces
the reservation by what it really took; a failure releases it. Tool calls, tokens, money and evaluations are counted
for every attempt from its start: at the worst case until somebody says what it took, and for ever if nobody does (its
conductor died).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.events.operation import Operation
from mendel.contracts.events.run import CapName

_SUMMED = (
    "tokens_in",
    "tokens_out",
    "tool_calls",
    "spawns",
    "cpu_ms",
    "opcodes",
    "wall_ms",
    "cost_microusd",
    "evaluations",
)

COUNTED: tuple[CapName, ...] = ("max_tool_calls", "max_tokens", "max_cost_microusd", "max_evaluations")


def _bounded(amount: int) -> int:
    """A sum of reports stays a number that JSON carries; far above any cap, more makes no difference."""
    return min(amount, MAX_USAGE)


@dataclass(slots=True)
class Tally:
    """Tool calls, tokens, money and evaluations."""

    max_tool_calls: int = 0
    max_tokens: int = 0
    max_cost_microusd: int = 0
    max_evaluations: int = 0

    def add(self, usage: Usage, sign: int = 1) -> None:
        """Count ``usage``, or take it back."""
        self.max_tool_calls = _bounded(self.max_tool_calls + sign * usage.tool_calls)
        self.max_tokens = _bounded(self.max_tokens + sign * (usage.tokens_in + usage.tokens_out))
        self.max_cost_microusd = _bounded(self.max_cost_microusd + sign * usage.cost_microusd)
        self.max_evaluations = _bounded(self.max_evaluations + sign * usage.evaluations)


@dataclass(slots=True)
class Ledger:
    """Conserved at every event: spent + reserved + free = budget, and spent only grows."""

    spent: int = 0
    reserved: int = 0
    used: Tally = field(default_factory=Tally)
    held: Tally = field(default_factory=Tally)
    measured: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_SUMMED, 0))

    def reserve(self, operation: Operation) -> None:
        """An attempt starts."""
        self.reserved += operation.reserved_energy
        self.held.add(operation.allowance)

    def abandon(self, operation: Operation) -> None:
        """An attempt was lost with its conductor: no energy, but its worst case counts as used for ever."""
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(operation.allowance)

    def reconcile(self, operation: Operation, usage: Usage, lost: int = 0) -> None:
        """An attempt ended and said what it used; of ``lost`` deliveries before it nobody did."""
        for _ in range(lost):
            self.used.add(operation.allowance)
        self.reserved -= operation.reserved_energy
        self.held.add(operation.allowance, -1)
        self.used.add(usage)
        for name in _SUMMED:
            self.measured[name] = _bounded(self.measured[name] + getattr(usage, name))

    def charge(self, energy: int) -> None:
        """A success is paid."""
        self.spent += energy

    def lacking(self, caps: RunCaps, energy: int, wanted: Tally) -> CapName | None:
        """The cap that forbids to start something at that worst case, if any does."""
        if self.spent + self.reserved + energy > caps.energy_budget:
            return "energy_budget"
        for name in COUNTED:
            demand = getattr(wanted, name)
            if demand and getattr(self.used, name) + getattr(self.held, name) + demand > getattr(caps, name):
                return name
        return None

    def lacking_again(self, caps: RunCaps, operation: Operation) -> CapName | None:
        """As ``lacking``, for another attempt of what is in flight: its energy is reserved, its usage counts twice."""
        wanted = Tally()
        wanted.add(operation.allowance)
        return self.lacking(caps, 0, wanted)

    def consumed(self, cap: CapName) -> int:
        """How much of ``cap`` is spent or reserved."""
        if cap == "energy_budget":
            return self.spent + self.reserved
        return int(getattr(self.used, cap) + getattr(self.held, cap))

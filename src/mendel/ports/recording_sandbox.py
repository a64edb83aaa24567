"""A sandbox wrapper that records isolation and usage, so that no handler can omit them."""

from __future__ import annotations

from dataclasses import dataclass

from mendel.contracts.errors import AllowanceSpent
from mendel.contracts.evaluations import NOTHING_USED, Isolation, Tier
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_FROM_WEAKEST: tuple[Tier, ...] = ("weak", "landlock", "namespaces", "full")


@dataclass(slots=True)
class EvaluationBudget:
    """The number of evaluations (one program run with one case) that an operation and its children may still use."""

    allowed: int
    taken: int = 0

    def take(self, cases: int) -> None:
        """Deduct this many.

        Raises:
            AllowanceSpent: fewer are left; none was deducted.
        """
        if self.taken + cases > self.allowed:
            left = max(0, self.allowed - self.taken)
            raise AllowanceSpent(
                f"{cases} evaluations are needed, but {left} of the {self.allowed} allowed ones are left; the"
                " operation's step declares them as Step.allowance.evaluations"
            )
        self.taken += cases

    def give_back(self, cases: int) -> None:
        """Return unused evaluations."""
        self.taken -= max(0, cases)


class RecordingSandbox(Sandbox):
    """Wraps a sandbox and records the weakest tier in which it has run anything so far, and the total usage.

    ``evaluations`` counts program runs, one for each case. No attempt begins beyond the budget: it counts with all its
    cases until it has ended, and permanently if the number of cases that ran is unknown. The owner of the wrapped
    sandbox closes it.
    """

    def __init__(self, inner: Sandbox, budget: EvaluationBudget | None = None) -> None:
        self._inner = inner
        self._budget = budget
        self.weakest: Tier | None = None
        self.used = NOTHING_USED
        self.evaluations = 0

    async def attempt(self, ask: Ask) -> Attempt:
        """Run the attempt, and record its tier and usage.

        Raises:
            AllowanceSpent: it may need more evaluations than are left.
        """
        if self._budget is not None:
            self._budget.take(len(ask.cases))
        # Counted before the attempt: if it raises, all its cases stay counted.
        self.evaluations += len(ask.cases)
        attempt = await self._inner.attempt(ask)
        never_ran = max(0, len(ask.cases) - len(attempt.outcomes))
        self.evaluations -= never_ran
        if self._budget is not None:
            self._budget.give_back(never_ran)
        self.used += attempt.usage
        tier = attempt.isolation.tier
        if self.weakest is None or _FROM_WEAKEST.index(tier) < _FROM_WEAKEST.index(self.weakest):
            self.weakest = tier
        return attempt

    async def isolation(self) -> Isolation:
        """Return the isolation of the wrapped sandbox."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Do nothing: the owner of the wrapped sandbox closes it."""

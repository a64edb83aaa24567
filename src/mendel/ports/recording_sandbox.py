"""A wrapper round a sandbox that remembers how weak the walls were and what was used: no handler can forget it."""

from __future__ import annotations

from dataclasses import dataclass

from mendel.contracts.errors import AllowanceSpent
from mendel.contracts.evaluations import NOTHING_USED, Isolation, Tier
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_FROM_WEAKEST: tuple[Tier, ...] = ("weak", "landlock", "namespaces", "full")


@dataclass(slots=True)
class EvaluationBudget:
    """How many programs an operation may still run against a case, itself and its children together."""

    allowed: int
    taken: int = 0

    def take(self, cases: int) -> None:
        """Take that many off.

        Raises:
            AllowanceSpent: there are not so many left; none was taken.
        """
        if self.taken + cases > self.allowed:
            left = max(0, self.allowed - self.taken)
            raise AllowanceSpent(
                f"{cases} evaluations are wanted, and {left} of the {self.allowed} are left that the operation was"
                " allowed; its step declares them as Step.allowance.evaluations"
            )
        self.taken += cases

    def give_back(self, cases: int) -> None:
        """Fewer were used than were taken."""
        self.taken -= max(0, cases)


class RecordingSandbox(Sandbox):
    """Another sandbox, the weakest tier in which it has run anything so far, and what all of it used.

    ``evaluations`` are the programs that it ran, each once for every case. None is begun beyond its budget: an attempt
    counts with all its cases until it has ended, and for ever where nobody can say how many it ran.
    Closing is left to its owner.
    """

    def __init__(self, inner: Sandbox, budget: EvaluationBudget | None = None) -> None:
        self._inner = inner
        self._budget = budget
        self.weakest: Tier | None = None
        self.used = NOTHING_USED
        self.evaluations = 0

    async def attempt(self, ask: Ask) -> Attempt:
        """Run it, and note the tier that was in force and what it used.

        Raises:
            AllowanceSpent: it may take more evaluations than are left.
        """
        if self._budget is not None:
            self._budget.take(len(ask.cases))
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
        """As the other one says."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Nothing: whoever opened the other one closes it."""

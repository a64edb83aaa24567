"""A wrapper round a sandbox that remembers how weak the walls were and what was used: no handler can forget it."""

from __future__ import annotations

from mendel.contracts.errors import AllowanceSpent
from mendel.contracts.evaluations import NOTHING_USED, Isolation, Tier
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_FROM_WEAKEST: tuple[Tier, ...] = ("weak", "landlock", "namespaces", "full")


class RecordingSandbox(Sandbox):
    """Another sandbox, the weakest tier in which it has run anything so far, and what all of it used.

    ``evaluations`` are the programs that it ran, each once for every case. More than ``allowed`` are never begun: an
    attempt counts with all its cases until it has ended, and for ever where nobody can say how many it ran.
    Closing is left to its owner.
    """

    def __init__(self, inner: Sandbox, allowed: int | None = None) -> None:
        self._inner = inner
        self._allowed = allowed
        self.weakest: Tier | None = None
        self.used = NOTHING_USED
        self.evaluations = 0

    async def attempt(self, ask: Ask) -> Attempt:
        """Run it, and note the tier that was in force and what it used.

        Raises:
            AllowanceSpent: it may take more evaluations than are left.
        """
        self._reserve(len(ask.cases))
        attempt = await self._inner.attempt(ask)
        self.evaluations -= max(0, len(ask.cases) - len(attempt.outcomes))
        self.used += attempt.usage
        tier = attempt.isolation.tier
        if self.weakest is None or _FROM_WEAKEST.index(tier) < _FROM_WEAKEST.index(self.weakest):
            self.weakest = tier
        return attempt

    def _reserve(self, cases: int) -> None:
        if self._allowed is not None and self.evaluations + cases > self._allowed:
            left = max(0, self._allowed - self.evaluations)
            raise AllowanceSpent(
                f"{cases} evaluations are wanted, and {left} of the {self._allowed} are left that the operation was"
                " allowed; its step declares them as Step.allowance.evaluations"
            )
        self.evaluations += cases

    async def isolation(self) -> Isolation:
        """As the other one says."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Nothing: whoever opened the other one closes it."""

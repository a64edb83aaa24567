"""A wrapper round a sandbox that remembers how weak the walls were and what was used: no handler can forget it."""

from __future__ import annotations

from mendel.contracts.evaluations import NOTHING_USED, Isolation, Tier
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_FROM_WEAKEST: tuple[Tier, ...] = ("weak", "landlock", "namespaces", "full")


class RecordingSandbox(Sandbox):
    """Another sandbox, the weakest tier in which it has run anything so far, and what all of it used.

    Closing is left to its owner.
    """

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self.weakest: Tier | None = None
        self.used = NOTHING_USED

    async def attempt(self, ask: Ask) -> Attempt:
        """Run it, and note the tier that was in force and what it used."""
        attempt = await self._inner.attempt(ask)
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

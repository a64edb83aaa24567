"""A wrapper round a sandbox that remembers how weak the walls were: so no handler can forget to say it."""

from __future__ import annotations

from mendel.contracts.evaluations import Isolation, Tier
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_FROM_WEAKEST: tuple[Tier, ...] = ("weak", "landlock", "namespaces", "full")


class RecordingSandbox(Sandbox):
    """Another sandbox, and the weakest tier in which it has run anything so far. Closing is left to its owner."""

    def __init__(self, inner: Sandbox) -> None:
        self._inner = inner
        self.weakest: Tier | None = None

    async def attempt(self, ask: Ask) -> Attempt:
        """Run it, and note the tier that was in force."""
        attempt = await self._inner.attempt(ask)
        tier = attempt.isolation.tier
        if self.weakest is None or _FROM_WEAKEST.index(tier) < _FROM_WEAKEST.index(self.weakest):
            self.weakest = tier
        return attempt

    async def isolation(self) -> Isolation:
        """As the other one says."""
        return await self._inner.isolation()

    async def aclose(self) -> None:
        """Nothing: whoever opened the other one closes it."""

"""Checkpoints in memory."""

from __future__ import annotations

from mendel.contracts.log_views import Head
from mendel.ports.checkpoints import Checkpoints


class MemoryCheckpoints(Checkpoints):
    """Remembers heads as long as it lives."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    async def put(self, run_id: str, head: Head) -> None:
        """Remember ``head`` as the end of the run."""
        self._heads[run_id] = head

    async def get(self, run_id: str) -> Head | None:
        """The last head that was remembered here."""
        return self._heads.get(run_id)

    async def run_ids(self) -> frozenset[str]:
        """The runs of which something is remembered."""
        return frozenset(self._heads)

"""Checkpoints in memory."""

from __future__ import annotations

from mendel.contracts.log_views import Head
from mendel.ports.checkpoints import Checkpoints


class MemoryCheckpoints(Checkpoints):
    """Keeps heads as long as the object lives."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    async def put(self, run_id: str, head: Head) -> None:
        """Store ``head`` as the end of the run."""
        self._heads[run_id] = head

    async def get(self, run_id: str) -> Head | None:
        """Return the last head that was stored here."""
        return self._heads.get(run_id)

    async def run_ids(self) -> frozenset[str]:
        """Return the runs with a checkpoint."""
        return frozenset(self._heads)

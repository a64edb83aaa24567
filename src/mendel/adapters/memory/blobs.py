"""Blobs in memory."""

from __future__ import annotations

from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import Blobs


class MemoryBlobs(Blobs):
    """Keeps blobs as long as the object lives."""

    def __init__(self, scrubber: Scrubber | None = None) -> None:
        super().__init__(scrubber)
        self._data: dict[str, bytes] = {}

    async def _missing(self, names: frozenset[str]) -> frozenset[str]:
        return frozenset(name for name in names if name not in self._data)

    async def _store(self, name: str, data: bytes) -> None:
        self._data.setdefault(name, data)

    async def _load(self, name: str) -> bytes | None:
        return self._data.get(name)

"""A retriever that finds no more than its operator wants."""

from __future__ import annotations

from collections.abc import Sequence

from mendel.contracts.retrieval import Passage, Retrieval
from mendel.ports.retriever import DEFAULT_LIMIT, Retriever


class AtMost(Retriever):
    """Another retriever, which is asked for at most ``most`` passages; what is recorded says how many were wanted."""

    def __init__(self, inner: Retriever, most: int) -> None:
        self._inner = inner
        self._most = most

    @property
    def name(self) -> str:
        """As the other one is called."""
        return self._inner.name

    @property
    def fallback(self) -> Retriever | None:
        """The other one's."""
        return self._inner.fallback

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """As the other one does."""
        return await self._inner.retrieve(query, min(limit, self._most))

    async def aclose(self) -> None:
        """Close the other one."""
        await self._inner.aclose()

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        return await self._inner._retrieve(query, limit)

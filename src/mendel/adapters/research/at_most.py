"""A retriever with an upper limit on the number of passages."""

from __future__ import annotations

from collections.abc import Sequence

from mendel.contracts.retrieval import Passage, Retrieval
from mendel.ports.retriever import DEFAULT_LIMIT, Retriever


class AtMost(Retriever):
    """Requests at most ``most`` passages from another retriever; the result records the limit that was used."""

    def __init__(self, inner: Retriever, most: int) -> None:
        self._inner = inner
        self._most = most

    @property
    def name(self) -> str:
        """The inner retriever's name."""
        return self._inner.name

    @property
    def fallback(self) -> Retriever | None:
        """The inner retriever's fallback."""
        return self._inner.fallback

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """Retrieve from the inner retriever."""
        return await self._inner.retrieve(query, min(limit, self._most))

    async def aclose(self) -> None:
        """Close the inner retriever."""
        await self._inner.aclose()

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        return await self._inner._retrieve(query, limit)

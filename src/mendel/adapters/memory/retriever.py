"""A retriever in memory: simple, slow and small, a reference implementation of the port."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mendel.contracts.retrieval import Passage
from mendel.ports.retriever import Retriever

_WORDS: Final = re.compile(r"\w+")


class MemoryRetriever(Retriever):
    """Finds the passages that share the most words with the query; ties keep the order of the passages."""

    def __init__(self, passages: Sequence[Passage] = (), name: str = "memory") -> None:
        self._passages = tuple(passages)
        self._name = name

    @property
    def name(self) -> str:
        """The name given at construction."""
        return self._name

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        wanted = _words(query)
        shared = {place: len(wanted & _words(f"{each.title} {each.text}")) for place, each in enumerate(self._passages)}
        best = sorted((place for place, count in shared.items() if count), key=lambda place: (-shared[place], place))
        return [self._passages[place] for place in best[:limit]]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.casefold()))

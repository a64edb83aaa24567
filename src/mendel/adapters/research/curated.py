"""The curated corpus: it needs neither network nor key, and never fails."""

from __future__ import annotations

from collections.abc import Sequence

from mendel.adapters.research.builtin import BUILT_IN
from mendel.adapters.research.corpus import load
from mendel.adapters.research.ranking import Ranking
from mendel.contracts.retrieval import Passage
from mendel.ports.retriever import Retriever, RetrieverContext


class CuratedRetriever(Retriever):
    """Ranks a fixed set of passages by BM25 over title and text; the title counts twice."""

    def __init__(self, passages: Sequence[Passage] = BUILT_IN, name: str = "curated") -> None:
        self._passages = tuple(passages)
        self._name = name
        self._ranking = Ranking(f"{each.title} {each.title} {each.text}" for each in self._passages)

    @property
    def name(self) -> str:
        """The name given at construction."""
        return self._name

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        return [self._passages[place] for place in self._ranking.best(query, limit)]


def open_curated(context: RetrieverContext) -> CuratedRetriever:
    """Open the operator's corpus, or the built-in one.

    Raises:
        ConfigError: the corpus cannot be read.
    """
    return CuratedRetriever() if context.corpus is None else CuratedRetriever(load(context.corpus))

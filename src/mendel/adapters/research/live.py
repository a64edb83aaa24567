"""The live research tools: searches through retrievers, pages through the fetcher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mendel.adapters.research.fetching import Fetcher
from mendel.contracts.model_calls import ToolName
from mendel.contracts.retrieval import Arguments, FetchArguments, Passage, Retrieval, SearchArguments
from mendel.ports.research import ResearchTools, ToolAnswer, ToolFailed
from mendel.ports.retriever import Retriever

_EXCERPT: Final = 1_500  # characters of each passage
_NOTHING: Final = "nothing was found"
_STAND_IN: Final = "the live search failed ({failure}); these passages are from the curated corpus"


class LiveTools(ResearchTools):
    """Each search tool is a retriever, so every plug-in of ``mendel.retrievers`` can be one.

    A search without a retriever, or ``fetch_url`` without a fetcher, counts as not configured.
    """

    def __init__(self, searches: Mapping[ToolName, Retriever], fetcher: Fetcher | None = None) -> None:
        self._searches = dict(searches)
        self._fetcher = fetcher

    def names(self) -> frozenset[ToolName]:
        """Return the configured tools."""
        fetching: frozenset[ToolName] = frozenset() if self._fetcher is None else frozenset({"fetch_url"})
        return frozenset(self._searches) | fetching

    async def _call(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        match arguments:
            case SearchArguments():
                found = await self._searches[name].retrieve(arguments.query, arguments.limit)
                return _told(name, found)
            case FetchArguments() if self._fetcher is not None:
                page = await self._fetcher.fetch(arguments.url)
                return ToolAnswer(f"{page.url}\n\n{page.text}", "fetch")
        raise ToolFailed("not_configured", f"{name} is not configured here")

    async def aclose(self) -> None:
        """Close every search."""
        for search in self._searches.values():
            await search.aclose()


def _told(name: ToolName, found: Retrieval) -> ToolAnswer:
    if found.failure is not None and not found.passages:
        raise ToolFailed(found.failure, f"{name} brought nothing", provider=found.provider)
    head = [_STAND_IN.format(failure=found.failure)] if found.fallback_sourced else []
    body = [_listed(number, each) for number, each in enumerate(found.passages, 1)] or [_NOTHING]
    return ToolAnswer("\n\n".join([*head, *body]), found.provider, found.fallback_sourced)


def _listed(number: int, passage: Passage) -> str:
    return "\n".join(filter(None, (f"{number}. {passage.title}", passage.uri, passage.text[:_EXCERPT])))

"""Retrieval and tools that return only recorded values: a replay makes no calls (rule 7)."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress

from mendel.contracts.model_calls import ToolName
from mendel.contracts.retrieval import Arguments, Passage, Retrieval, ToolRecord
from mendel.ports.research import TOOLS, ResearchTools, ToolAnswer, ToolFailed, known_tool, read_arguments
from mendel.ports.retriever import DEFAULT_LIMIT, RetrievalFailed, Retriever


class RecordedRetriever(Retriever):
    """Returns the recorded result of each query, value for value and in the order of the records.

    A query that was not recorded, or less often than it is now made, fails with ``not_recorded``.
    """

    def __init__(self, recorded: Iterable[Retrieval]) -> None:
        self._waiting: defaultdict[tuple[str, int], deque[Retrieval]] = defaultdict(deque)
        for each in recorded:
            self._waiting[each.query, each.limit].append(each)

    @property
    def name(self) -> str:
        """The provider's name for queries without a record."""
        return "recorded"

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """Return the next recorded result of the query with that limit."""
        unknown = await super().retrieve(query, limit)
        waiting = self._waiting[unknown.query, unknown.limit]
        return waiting.popleft() if waiting else unknown

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        raise RetrievalFailed("not_recorded", f"no answer is left for a query of {len(query)} characters ({limit})")


class RecordedTools(ResearchTools):
    """Returns the recorded result of each call, in the order of the records.

    Permission, arguments and cap are checked as in a live run, so refused calls are refused again. ``names`` are the
    tools configured in the recorded run, so that a model is offered the same ones.
    """

    def __init__(self, recorded: Iterable[ToolRecord], names: Iterable[ToolName] = TOOLS) -> None:
        self._names = frozenset(names)
        self._waiting: defaultdict[tuple[ToolName, Arguments], deque[ToolRecord]] = defaultdict(deque)
        for each in recorded:
            name = known_tool(each.name)
            if each.counted and name is not None:
                with suppress(ToolFailed):  # invalid arguments can match no call
                    self._waiting[name, read_arguments(name, each.arguments)].append(each)

    def names(self) -> frozenset[ToolName]:
        """Return the names given at construction."""
        return self._names

    async def _call(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        waiting = self._waiting[name, arguments]
        if not waiting:
            raise ToolFailed("not_recorded", f"no answer of {name} is recorded for this")
        record = waiting.popleft()
        if record.code == "answered":
            return ToolAnswer(record.text, record.provider, record.fallback_sourced, record.latency_ms)
        raise ToolFailed(record.code, record.text, provider=record.provider, latency_ms=record.latency_ms)

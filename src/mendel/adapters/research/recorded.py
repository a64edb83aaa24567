"""Retrieval and tools from recorded values alone: a replay calls nobody (rule 7)."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from contextlib import suppress

from mendel.contracts.model_calls import ToolName
from mendel.contracts.retrieval import Arguments, Passage, Retrieval, ToolRecord
from mendel.ports.research import TOOLS, ResearchTools, ToolAnswer, ToolFailed, known_tool, read_arguments
from mendel.ports.retriever import DEFAULT_LIMIT, RetrievalFailed, Retriever


class RecordedRetriever(Retriever):
    """Answers each query with what was recorded for it, value for value and in the order of the records.

    A query that is not recorded, or not so often, finds nothing, and the answer says so: ``not_recorded``.
    """

    def __init__(self, recorded: Iterable[Retrieval]) -> None:
        self._waiting: defaultdict[tuple[str, int], deque[Retrieval]] = defaultdict(deque)
        for each in recorded:
            self._waiting[each.query, each.limit].append(each)

    @property
    def name(self) -> str:
        """Who answers where nothing is recorded."""
        return "recorded"

    async def retrieve(self, query: str, limit: int = DEFAULT_LIMIT) -> Retrieval:
        """What was recorded for the query with that limit."""
        unknown = await super().retrieve(query, limit)
        waiting = self._waiting[unknown.query, unknown.limit]
        return waiting.popleft() if waiting else unknown

    async def _retrieve(self, query: str, limit: int) -> Sequence[Passage]:
        raise RetrievalFailed("not_recorded", f"no answer is left for a query of {len(query)} characters ({limit})")


class RecordedTools(ResearchTools):
    """Answers each call with what was recorded for it, in the order of the records.

    Permission, arguments and cap are looked at as if the tools were live; what was refused is refused again. ``names``
    are those that were configured then, so that a model is offered the same ones.
    """

    def __init__(self, recorded: Iterable[ToolRecord], names: Iterable[ToolName] = TOOLS) -> None:
        self._names = frozenset(names)
        self._waiting: defaultdict[tuple[ToolName, Arguments], deque[ToolRecord]] = defaultdict(deque)
        for each in recorded:
            name = known_tool(each.name)
            if each.counted and name is not None:
                with suppress(ToolFailed):  # what no call can be written as answers none
                    self._waiting[name, read_arguments(name, each.arguments)].append(each)

    def names(self) -> frozenset[ToolName]:
        """As it was made with."""
        return self._names

    async def _call(self, name: ToolName, arguments: Arguments) -> ToolAnswer:
        waiting = self._waiting[name, arguments]
        if not waiting:
            raise ToolFailed("not_recorded", f"no answer of {name} is recorded for this")
        record = waiting.popleft()
        if record.code == "answered":
            return ToolAnswer(record.text, record.provider, record.fallback_sourced, record.latency_ms)
        raise ToolFailed(record.code, record.text, provider=record.provider, latency_ms=record.latency_ms)

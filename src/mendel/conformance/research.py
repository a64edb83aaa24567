"""The contract suite of port ``ResearchTools``: subclass it and override the fixture ``open_tools``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from mendel.contracts.canonical import bounded
from mendel.contracts.model_calls import ToolCall, ToolName
from mendel.contracts.retrieval import MAX_TOOL_TEXT, ToolRecord
from mendel.contracts.untrusted import BEGIN, END, unwrapped
from mendel.ports.research import TOOLS, ResearchTools, ToolCounter, ToolResult

ALL: frozenset[ToolName] = frozenset(TOOLS)
NONE: frozenset[ToolName] = frozenset()
# Permission for other tools than the one in ``GOOD``.
OTHERS: frozenset[ToolName] = frozenset({"fetch_url", "x_search", "youtube_search"})
GOOD = ToolCall(id="call-1", name="web_search", arguments='{"query": "garden peas"}')
BAD_ARGUMENTS = (
    "",
    "{}",
    "null",
    "[]",
    '"garden peas"',
    "{",
    '{"query": "peas"',
    "{'query': 'peas'}",
    '{"query": 5}',
    '{"query": null}',
    '{"query": ""}',
    '{"query": "   "}',
    '{"query": "two\\nlines"}',
    '{"query": "\\u0000"}',
    '{"query": "\\ud800"}',
    '{"query": "peas", "limit": "3"}',
    '{"query": "peas", "limit": 0}',
    '{"query": "peas", "limit": 11}',
    '{"query": "peas", "limit": 2.5}',
    '{"query": "peas", "limit": true}',
    '{"query": "peas", "limit": NaN}',
    '{"query": "peas", "endpoint": "http://evil.example/"}',
    '{"query": ["peas"]}',
    '{"query": "' + "x" * 401 + '"}',
    '{"query": "' + "x" * 100_000 + '"}',
    "[" * 100_000,
    '{"a":' * 5_000,
    "\ud800",
    "\0",
)
UNKNOWN = ("", "WEB_SEARCH", "web_search ", "shell", "read_file", "\ud800", "\0", "x" * 10_000, "web_search\n")


@pytest.mark.asyncio
class ResearchToolsContract:
    """What all research tools must do. ``open_tools`` opens some with a ``web_search`` that answers ``GOOD``."""

    @pytest.fixture
    def open_tools(self) -> Callable[[], ResearchTools]:
        raise NotImplementedError("override this fixture with a callable that opens the tools under test")

    @pytest.fixture
    def tools(self, open_tools: Callable[[], ResearchTools]) -> ResearchTools:
        return open_tools()

    async def test_they_are_of_the_closed_set_and_have_schemas(self, tools: ResearchTools) -> None:
        descriptors = tools.descriptors()
        assert {each.name for each in descriptors} == tools.names() <= ALL
        assert "web_search" in tools.names()
        for each in descriptors:
            assert each.parameters["type"] == "object"
            assert each.parameters["additionalProperties"] is False

    async def test_a_call_is_answered_counted_and_recorded(self, tools: ResearchTools) -> None:
        counter = ToolCounter(3)
        async with tools:
            result = await tools.call(GOOD, ALL, counter)
        assert result.answered
        assert (counter.used, counter.left) == (1, 2)
        assert (result.record.call_id, result.record.name) == ("call-1", "web_search")
        assert result.record.arguments == GOOD.arguments
        _is_data(result)

    async def test_no_tool_without_permission(self, tools: ResearchTools) -> None:
        async with tools:
            for permission in (NONE, OTHERS):
                await _refused(tools, GOOD, "not_permitted", permission)

    @pytest.mark.parametrize("name", UNKNOWN, ids=range(len(UNKNOWN)))
    async def test_there_is_no_other_tool(self, tools: ResearchTools, name: str) -> None:
        async with tools:
            await _refused(tools, GOOD.model_copy(update={"name": name}), "unknown_tool")

    @pytest.mark.parametrize("arguments", BAD_ARGUMENTS, ids=range(len(BAD_ARGUMENTS)))
    async def test_arguments_that_do_not_fit_are_refused(self, tools: ResearchTools, arguments: str) -> None:
        async with tools:
            await _refused(tools, GOOD.model_copy(update={"arguments": arguments}), "bad_arguments")

    async def test_the_cap_holds_before_the_call(self, tools: ResearchTools) -> None:
        counter = ToolCounter(2)
        async with tools:
            codes = [(await tools.call(GOOD, ALL, counter)).record.code for _ in range(4)]
        assert codes == ["answered", "answered", "cap_reached", "cap_reached"]
        assert counter.used == 2

    async def test_the_cap_holds_when_many_call_at_once(self, tools: ResearchTools) -> None:
        counter = ToolCounter(3)
        async with tools:
            results = await asyncio.gather(*(tools.call(GOOD, ALL, counter) for _ in range(8)))
        assert sorted(result.record.code for result in results) == ["answered"] * 3 + ["cap_reached"] * 5

    async def test_they_can_be_closed_twice(self, tools: ResearchTools) -> None:
        async with tools:
            await tools.call(GOOD, ALL, ToolCounter(1))
        await tools.aclose()


async def _refused(tools: ResearchTools, call: ToolCall, code: str, permission: frozenset[ToolName] = ALL) -> None:
    counter = ToolCounter(1)
    result = await tools.call(call, permission, counter)
    assert result.record.code == code
    assert not result.answered
    assert not result.record.counted
    assert counter.used == 0
    assert f"({code})" in result.message().content
    _is_data(result)


def _is_data(result: ToolResult) -> None:
    """Check that a result is between the delimiters, can be recorded, and reads the same in both forms."""
    message, record = result.message(), result.record
    assert message.role == "tool"
    assert message.tool_call_id == result.call.id
    assert message.content.count(BEGIN) == message.content.count(END) == 1
    assert unwrapped(message.content) == unwrapped(result.retold().content)
    assert result.retold().role == "user"
    assert len(record.text) <= MAX_TOOL_TEXT
    assert bounded(record.model_dump(mode="json"))
    assert ToolRecord.model_validate_json(record.model_dump_json()) == record

"""The tools' door, and a model that calls them: bounded, counted, recorded, and answering in the end."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from tests.support.rows import check_rows

from mendel.adapters.memory.model_gateway import MemoryModels
from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.adapters.research.live import LiveTools
from mendel.conformance.research import ALL, GOOD
from mendel.conformance.retriever import PASSAGES
from mendel.contracts.base import Contract
from mendel.contracts.canonical import bounded
from mendel.contracts.errors import ModelCallFailed, ModelRequestRefused
from mendel.contracts.model_calls import CallLimits, Message, ToolCall
from mendel.contracts.model_plans import ModelPlan, RolePlan, Source
from mendel.contracts.providers import ModelRoute, ProviderMeta
from mendel.contracts.untrusted import BEGIN, END, FRAMING
from mendel.ports.model_gateway import ModelGateway, ModelRequest, ModelResponse
from mendel.ports.model_wire import WireAnswer, WireFailed
from mendel.ports.research import (
    TOOLS,
    RecordingTools,
    ResearchLimits,
    ResearchTools,
    ToolAnswer,
    ToolCounter,
    with_tools,
)

SECRET = "canary-0123456789"


class Idea(Contract):
    text: str


class Doing(ResearchTools):
    """Does whatever it is told to."""

    def __init__(self, does):
        self.does = does
        self.called = []

    def names(self):
        return frozenset(TOOLS)

    async def _call(self, name, arguments):
        self.called.append((name, arguments))
        if isinstance(self.does, BaseException):
            raise self.does
        return self.does


@pytest.fixture
def tools():
    return RecordingTools(LiveTools({"web_search": MemoryRetriever(PASSAGES)}))


# --- the door --------------------------------------------------------------------------------------------------


@check_rows(
    ("does", "code"),
    [(ValueError(SECRET), "broken"), (TimeoutError(), "timeout"), (None, "broken"), (ToolAnswer(None, "x"), "broken")],
)
async def test_nothing_that_an_implementation_does_ends_a_run(does, code):
    counter = ToolCounter(5)
    result = await Doing(does).call(GOOD, ALL, counter)
    assert result.record.code == code
    assert counter.used == 1, "a call that failed was made all the same"
    assert SECRET not in result.record.model_dump_json() + result.message().content


async def test_who_is_cancelled_stops():
    with pytest.raises(asyncio.CancelledError):
        await asyncio.ensure_future(Doing(asyncio.CancelledError()).call(GOOD, ALL, ToolCounter(1)))


@given(
    st.sampled_from(TOOLS) | st.text(),
    st.text(st.characters(exclude_categories=())) | st.sampled_from(['{"query": "x"}', '{"url": "http://a.b/"}']),
    st.text(max_size=200),
    st.text(st.characters(exclude_categories=())),
)
def test_whatever_a_model_writes_is_answered_with_data_that_can_be_recorded(name, arguments, number, said):
    tools = Doing(ToolAnswer(said, "somebody"))
    call = ToolCall(id=number, name=name, arguments=arguments)
    result = asyncio.run(tools.call(call, ALL, ToolCounter(1)))
    assert result.answered == bool(tools.called)
    assert bounded(result.record.model_dump(mode="json"))
    content = result.message().content
    assert content.startswith(BEGIN)
    assert content.count(BEGIN) == content.count(END) == 1


async def test_the_arguments_are_looked_at_before_anybody_is_asked():
    tools = Doing(ToolAnswer("x", "y"))
    wrong = [
        *((name, '{"query": "x"}') for name in ("fetch_url",)),
        *((name, '{"url": "http://peas.example/"}') for name in TOOLS if name != "fetch_url"),
        ("fetch_url", '{"url": "http://peas.example/", "headers": {}}'),
        ("fetch_url", '{"url": "http://peas.example/\\r\\nX: y"}'),
        ("fetch_url", '{"url": ""}'),
    ]
    for name, arguments in wrong:
        result = await tools.call(ToolCall(id="", name=name, arguments=arguments), ALL, ToolCounter(1))
        assert result.record.code == "bad_arguments"
    assert tools.called == []


async def test_what_a_model_wrote_is_not_repeated_to_it():
    call = ToolCall(id="1", name="web_search", arguments='{"<b>obey</b>": "obey", "query": "obey"}')
    result = await Doing(ToolAnswer("x", "y")).call(call, ALL, ToolCounter(1))
    assert "obey" not in result.message().content


async def test_a_long_answer_is_cut_for_the_record_and_again_for_the_prompt():
    result = await Doing(ToolAnswer('"\n' * 50_000, "x")).call(GOOD, ALL, ToolCounter(1))
    assert len(result.record.text) == 20_000
    assert result.record.text.endswith("[cut]")
    for room in (0, 10, 1_000, 30_000):
        assert len(result.message(room).model_dump_json()) < room + 200


# --- a model that calls tools --------------------------------------------------------------------------------------


def models(*turns):
    source = Source(name="a", route=ModelRoute(provider="a", model_id="m"))
    return MemoryModels(ModelPlan(roles={"population_generator": RolePlan(sources=(source,))}), {"a": turns})


def says(text, *calls):
    return WireAnswer(text, "m", tool_calls=calls)


def wish(query="garden peas", number="1"):
    return ToolCall(id=number, name="web_search", arguments=f'{{"query": "{query}"}}')


def question(limits=None):
    return replace(ModelRequest.prompt("population_generator", "Invent something.", output=Idea), limits=limits)


async def test_a_model_reads_and_then_answers(tools):
    gateway = models(says("", wish(), wish("pollen", "2")), says('{"text": "peas"}'))
    counter = ToolCounter(9)
    response, records = await with_tools(gateway, question(), tools, {"web_search"}, counter)
    assert response.output == Idea(text="peas")
    assert [(each.call_id, each.code) for each in records] == [("1", "answered"), ("2", "answered")]
    assert (tuple(tools.records), counter.used) == (records, 2)
    assert [each.call for each in response.records] == [0, 1]
    first, second = gateway.providers["a"].asked
    assert [each.name for each in first.tools] == [each.name for each in second.tools] == ["web_search"]
    assert [each.role for each in second.messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [each.tool_call_id for each in second.messages[3:]] == ["1", "2"]
    assert all(each.content.startswith(f"{BEGIN} answer of web_search\n") for each in second.messages[3:])
    assert first.messages[0].content == second.messages[0].content == FRAMING


async def test_only_what_is_permitted_and_configured_is_offered(tools):
    for permission in (frozenset(), {"fetch_url", "x_search"}):
        gateway = models(says('{"text": "alone"}'))
        response, records = await with_tools(gateway, question(), tools, permission, ToolCounter(9))
        assert (response.output, records) == (Idea(text="alone"), ())
        (asked,) = gateway.providers["a"].asked
        assert asked.tools == ()
        assert len(asked.messages) == 1, "who may not read is not told to stop reading"


async def test_a_tool_that_was_not_offered_is_never_called(tools):
    inner = Doing(ToolAnswer("x", "y"))
    other = ToolCall(id="1", name="fetch_url", arguments='{"url": "http://peas.example/"}')
    gateway = models(says("", other), says("", other))
    response, records = await with_tools(gateway, question(), inner, {"web_search"}, ToolCounter(9))
    assert (response.outcome, records, inner.called) == ("rejected", (), [])


@pytest.mark.parametrize(
    ("limits", "allowed", "asked", "called"),
    [
        (ResearchLimits(), 99, 5, 4),
        (ResearchLimits(turns=1), 99, 2, 1),
        (ResearchLimits(turns=0), 99, 1, 0),
        (ResearchLimits(), 2, 3, 2),
        (ResearchLimits(), 0, 1, 0),
        (ResearchLimits(total_bytes=2_500), 99, 3, 2),
        (ResearchLimits(total_bytes=10), 99, 1, 0),
    ],
    ids=range(7),
)
async def test_in_the_end_it_must_answer(tools, limits, allowed, asked, called):
    turns = [says("", wish()) for _ in range(asked - 1)]
    gateway = models(*turns, says('{"text": "peas"}'))
    counter = ToolCounter(allowed)
    response, records = await with_tools(gateway, question(), tools, {"web_search"}, counter, limits=limits)
    assert response.output == Idea(text="peas")
    assert (len(records), counter.used) == (called, called)
    last = gateway.providers["a"].asked[-1]
    assert len(gateway.providers["a"].asked) == asked
    assert last.tools == ()
    roles = ["system", *["user"] * (called + 2)] if called else ["user"]
    assert [each.role for each in last.messages] == roles, "no turn of a tool without a tool"
    told = [each.content for each in last.messages if each.content.startswith(BEGIN)]
    assert len(told) == called


async def test_who_never_answers_is_rejected(tools):
    gateway = models(*(says("", wish()) for _ in range(9)))
    response, records = await with_tools(gateway, question(), tools, {"web_search"}, ToolCounter(2))
    assert (response.outcome, response.output, response.tool_calls) == ("rejected", None, ())
    assert len(records) == 2


async def test_a_gateway_that_lets_a_last_wish_through_changes_nothing(tools):
    class Lenient(ModelGateway):
        def roles(self):
            return {}

        async def _ask(self, request):
            return ModelResponse("accepted", ProviderMeta(provider="a", model_id="m"), tool_calls=(wish(),))

    response, records = await with_tools(Lenient(), question(), tools, {"web_search"}, ToolCounter(2))
    assert (response.outcome, response.output, response.tool_calls) == ("rejected", None, ())
    assert response.complaints
    assert len(records) == 2


async def test_halves_of_characters_are_carried_nowhere(tools):
    odd = ToolCall(id="\0", name="web_search", arguments='{"query": "\ud800"}')
    gateway = models(says("\udfff", odd), says('{"text": "x"}'))
    response, records = await with_tools(gateway, question(), tools, {"web_search"}, ToolCounter(2))
    assert response.output == Idea(text="x")
    assert len(records) == 1
    asked = gateway.providers["a"].asked[1].messages
    assert asked[-1].tool_call_id == asked[-2].tool_calls[0].id


async def test_who_was_told_what_data_is_is_not_told_twice(tools):
    gateway = models(says('{"text": "x"}'))
    told = (Message(role="system", content=f"You invent. {FRAMING}"), *question().messages)
    await with_tools(gateway, replace(question(), messages=told), tools, {"web_search"}, ToolCounter(2))
    assert gateway.providers["a"].asked[0].messages == told


async def test_a_thousand_wishes_in_a_turn_are_not_heard(tools):
    gateway = models(says("", *(wish(number=str(number)) for number in range(1_000))), says('{"text": "x"}'))
    counter = ToolCounter(3)
    _, records = await with_tools(gateway, question(), tools, {"web_search"}, counter)
    assert [each.code for each in records] == ["answered"] * 3 + ["cap_reached"] * 5
    assert counter.used == 3


@check_rows("size", [700, 4_000, 5_000, 6_000, 20_000, 60_000])
async def test_what_was_read_never_makes_the_prompt_too_large(size):
    wishes = says("x" * 500, *(wish() for _ in range(8)))
    gateway = models(*[lambda asked: wishes if asked.tools else says('{"text": "x"}')] * 6)
    huge = Doing(ToolAnswer('"\n\N{SEEDLING}' * 20_000, "x"))
    response, _ = await with_tools(gateway, question(CallLimits(prompt_bytes=size)), huge, ALL, ToolCounter(99))
    assert response.output == Idea(text="x")
    assert bool(huge.called) == (size > 4_000)


async def test_the_schema_is_part_of_the_prompt():
    class Wordy(BaseModel):
        text: str = Field(default="x", description="y" * 5_000)

    wishes = says("", *(wish() for _ in range(8)))
    gateway = models(*[lambda asked: wishes if asked.tools else says("{}")] * 6)
    request = replace(question(CallLimits(prompt_bytes=16_000)), output=Wordy)
    response, records = await with_tools(gateway, request, Doing(ToolAnswer("z" * 20_000, "x")), ALL, ToolCounter(99))
    assert response.output == Wordy()
    assert records


async def test_a_model_that_fails_later_has_all_its_attempts_and_the_tools_theirs(tools):
    gateway = models(says("", wish()), WireFailed("auth", "no"))
    with pytest.raises(ModelCallFailed) as caught:
        await with_tools(gateway, question(), tools, {"web_search"}, ToolCounter(9))
    assert caught.value.reason == "auth"
    assert [(each.call, each.failure) for each in caught.value.records] == [(0, None), (1, "auth")]
    assert [each.code for each in tools.records] == ["answered"]


@pytest.mark.parametrize("role", ["critic", "final_judge", "audit_judge", "mutator"])
async def test_no_other_role_has_tools(tools, role):
    gateway = models()
    with pytest.raises(ModelRequestRefused, match="only for population_generator"):
        await with_tools(gateway, ModelRequest.prompt(role, "x"), tools, ALL, ToolCounter(9))
    assert gateway.providers["a"].asked == []

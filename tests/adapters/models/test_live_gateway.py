"""The live gateway over a real socket: every fault of a provider has the outcome that is specified for it."""

import asyncio
from collections import deque
from contextlib import AsyncExitStack
from dataclasses import replace

import orjson
import pytest
import pytest_asyncio
from tests.adapters.models.scripted_server import ScriptedServer, shown
from tests.support.model_server.server import ModelServer

from mendel.adapters.models.live import LiveGateway, nobody
from mendel.adapters.models.openai_wire import open_wire
from mendel.conformance.model_gateway import ModelGatewayContract
from mendel.conformance.model_stage import (
    FIRST,
    PATIENT,
    PRICE,
    ROLE,
    SECOND,
    ModelStage,
    Review,
    plan_of,
    review_request,
    source,
)
from mendel.contracts.base import Contract
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.model_calls import CallLimits, Message, ToolDescriptor
from mendel.contracts.model_plans import ModelPlan, RolePlan
from mendel.contracts.scrub import Scrubber
from mendel.contracts.untrusted import FRAMING, data_message
from mendel.ports.model_gateway import ModelRequest, RecordingModels
from mendel.ports.model_wire import WireContext, WireFailed

KEY = "canary-9c41f7ab20d5e863"
LIMITS = CallLimits(answer_bytes=200_000)
HASTY = CallLimits(timeout_ms=400)
"""For providers that never answer; whoever does may take its time."""


async def at_once(seconds):
    """Waiting is tested where it is told, not where it is done."""
    await asyncio.sleep(0)


class ServedStage(ModelStage):
    """The live gateway on the wire that most providers speak, against a server with a script."""

    def __init__(self, server):
        self.server = server

    async def open(self, plan, script):
        self.server.scripts = {name: deque(turns) for name, turns in script.items()}
        return LiveGateway(plan, self.wire, scrubber=Scrubber([self.key]), sleep=at_once)

    def wire(self, provider):
        if provider not in self.server.scripts:
            raise WireFailed("not_configured", f"there is no provider {provider}", unsent=True)
        return open_wire(WireContext(provider, base_url=f"{self.server.url(provider)}/v1", api_key=self.key))

    def asked(self, provider):
        return self.server.texts(provider)


class TestLiveGateway(ModelGatewayContract):
    @pytest_asyncio.fixture
    async def stage(self):
        async with ScriptedServer() as server:
            yield ServedStage(server)
            told = "".join(shown(each) for requests in server.asked.values() for each in requests)
            assert ServedStage.key in told or not told, "the key was sent, where it belongs: in a header"


# --- the faults of one provider ------------------------------------------------------------------------------------


@pytest_asyncio.fixture
async def server():
    async with ModelServer("schema", key=KEY) as server:
        yield server


@pytest_asyncio.fixture
async def live():
    """Opens gateways whose only provider is a server."""
    async with AsyncExitStack() as stack:

        async def opened(server, *, plan=None, key=KEY, waits=None):
            def wire(provider):
                url = f"{server.url}/v1"
                return open_wire(WireContext(provider, base_url=url, api_key=key, key_variable="CANARY_API_KEY"))

            async def noted(seconds):
                waits.append(seconds)

            sleep = noted if waits is not None else at_once
            gateway = LiveGateway(plan or plan_of(FIRST, limits=LIMITS), wire, scrubber=Scrubber([KEY]), sleep=sleep)
            return await stack.enter_async_context(gateway)

        yield opened


FAILING = {
    "400": ("bad_request", 1),
    "401": ("auth", 1),
    "403": ("auth", 1),
    "404": ("bad_request", 1),
    "413": ("bad_request", 1),
    "429": ("rate_limited", 3),
    "429_date": ("rate_limited", 3),
    "quota": ("auth", 1),
    "500": ("overloaded", 3),
    "503": ("overloaded", 3),
    "529": ("overloaded", 3),
    "echo_key": ("auth", 1),
    "error_in_200": ("overloaded", 3),
    "redirect": ("bad_request", 1),
    "hang": ("timeout", 3),
    "drip": ("timeout", 3),
    "drip_head": ("timeout", 3),
    "cut": ("connection", 3),
    "cut_body": ("connection", 3),
    "reset": ("connection", 3),
    "reset_body": ("connection", 3),
    "bad_envelope": ("unreadable", 3),
    "bad_utf8": ("unreadable", 3),
    "html": ("unreadable", 3),
    "odd_envelope": ("unreadable", 3),
    "huge": ("answer_too_large", 1),
    "endless": ("answer_too_large", 1),
}
"""Faults by which there is no answer, their reason, and how often it is tried."""

REPAIRED = (
    *("not_json", "truncated", "two_objects", "duplicate_key", "missing_field", "wrong_type", "extra_field"),
    *("wrong_once", "empty", "null", "refusal", "length", "unknown_tool", "bad_arguments"),
)
"""Faults of an answer, which the next one may be without."""

HARMLESS = ("fenced", "prose", "delay", "cookie")
ESTIMATED = ("usage_missing", "usage_negative", "usage_absurd", "usage_strings")


def limits_for(reason):
    return HASTY if reason == "timeout" else LIMITS


@pytest.mark.parametrize("fault", FAILING)
async def test_a_fault_without_an_answer_is_told_as_what_it_is(server, fault, live):
    reason, times = FAILING[fault]
    server.fail(fault, times=None)
    models = RecordingModels(await live(server, plan=plan_of(FIRST, limits=limits_for(reason))))
    with pytest.raises(ModelCallFailed, match=reason) as caught:
        await models.ask(review_request())
    assert caught.value.reason == reason
    assert [record.failure for record in models.records] == [reason] * times
    assert server.count == times
    assert KEY not in repr((caught.value, caught.value.__cause__, models.records))


@pytest.mark.parametrize("fault", [fault for fault, (_reason, times) in FAILING.items() if times > 1])
async def test_a_fault_that_passes_is_tried_again(server, fault, live):
    reason = FAILING[fault][0]
    server.fail(fault)
    gateway = await live(server, plan=plan_of(FIRST, retries=10, limits=limits_for(reason)))
    response = await gateway.ask(review_request())
    *failed, last = [record.failure for record in response.records]
    assert (response.outcome, last) == ("accepted", None)
    assert set(failed) == {reason}


@pytest.mark.parametrize("fault", REPAIRED)
async def test_a_wrong_answer_is_repaired(server, fault, live):
    server.fail(fault)
    response = await (await live(server)).ask(review_request())
    assert response.outcome == "repaired"
    assert isinstance(response.output, Review)
    assert [record.validation for record in response.records] == ["rejected", "repaired"]


@pytest.mark.parametrize("fault", [fault for fault in REPAIRED if fault != "wrong_once"])
async def test_answers_that_stay_wrong_are_rejected(server, fault, live):
    server.fail(fault, times=None)
    response = await (await live(server)).ask(review_request())
    assert (response.outcome, response.output) == ("rejected", None)
    assert [record.validation for record in response.records] == ["rejected", "rejected"]
    assert server.count == 2


@pytest.mark.parametrize("fault", HARMLESS)
async def test_a_manner_of_speaking_is_no_fault(server, fault, live):
    server.fail(fault)
    response = await (await live(server)).ask(review_request())
    assert (response.outcome, len(response.records)) == ("accepted", 1)


@pytest.mark.parametrize("fault", ESTIMATED)
async def test_usage_that_cannot_be_counts_at_its_worst(server, fault, live):
    server.fail(fault)
    (record,) = (await (await live(server)).ask(review_request())).records
    assert record.estimated
    assert record.provider.tokens_out == LIMITS.tokens_out
    assert record.provider.cost_microusd == PRICE.of(record.provider.tokens_in, LIMITS.tokens_out)


async def test_a_bomb_is_given_up(server, live):
    server.fail("gzip_bomb")
    with pytest.raises(ModelCallFailed) as caught:
        await (await live(server)).ask(review_request())
    assert caught.value.reason == "answer_too_large"


# --- waiting -------------------------------------------------------------------------------------------------------


async def test_a_provider_is_left_alone_as_long_as_it_wants(server, live):
    server.fail("429", retry_after=5)
    server.fail("503", retry_after=7)
    waits = []
    assert (await (await live(server, waits=waits)).ask(review_request())).accepted
    assert waits == [5.0, 7.0]


async def test_a_date_is_a_time_to_wait(server, live):
    server.fail("429_date", retry_after=20)
    waits = []
    assert (await (await live(server, waits=waits)).ask(review_request())).accepted
    assert 10.0 < waits[0] <= 20.0


async def test_backoff_grows_and_is_not_the_same_for_all(server, live):
    server.fail("500", times=None)
    waits = [[], []]
    for each in waits:
        with pytest.raises(ModelCallFailed):
            await (await live(server, plan=plan_of(FIRST, retries=4), waits=each)).ask(review_request())
    for first, last in ((each[0], each[-1]) for each in waits):
        assert 0.0 < first < last
    assert waits[0] != waits[1]


# --- schemas -------------------------------------------------------------------------------------------------------


class Loose(Contract):
    """Not every key is required, so that no strict provider takes it."""

    score: int
    why: str = ""


async def test_a_schema_that_the_provider_refuses_is_asked_for_in_json_mode(server, live):
    server.fail("schema_refused")
    gateway = await live(server, plan=plan_of(FIRST, retries=0))
    first = await gateway.ask(review_request())
    second = await gateway.ask(review_request("Judge that."))
    assert [record.failure for record in first.records] == ["schema_refused", None]
    assert (first.outcome, second.outcome, len(second.records)) == ("accepted", "accepted", 1)
    modes = [each.json()["response_format"]["type"] for each in server.seen]
    assert modes == ["json_schema", "json_object", "json_object"]


async def test_a_provider_that_knows_no_json_mode_either_is_asked_in_words(server, live):
    server.fail("schema_refused", times=2)
    gateway = await live(server, plan=plan_of(FIRST, retries=0))
    first = await gateway.ask(review_request())
    second = await gateway.ask(review_request("Judge that."))
    assert [record.failure for record in first.records] == ["schema_refused", "schema_refused", None]
    assert (first.outcome, second.outcome, len(second.records)) == ("accepted", "accepted", 1)
    forms = [each.json().get("response_format", {}).get("type") for each in server.seen]
    assert forms == ["json_schema", "json_object", None, None]


async def test_many_whose_schema_is_refused_at_once_are_all_asked_for_in_json_mode(server, live):
    server.fail("schema_refused", times=8)
    gateway = await live(server, plan=plan_of(FIRST, retries=0))
    answers = await asyncio.gather(*(gateway.ask(review_request(f"Judge number {number}.")) for number in range(8)))
    assert {answer.outcome for answer in answers} == {"accepted"}


async def test_a_prompt_that_the_schemas_words_make_too_large_fails_with_its_first_attempt(server, live):
    server.fail("schema_refused")
    request = review_request("x" * 300)
    sent = len(orjson.dumps([each.model_dump(exclude_defaults=True) for each in request.messages]))
    room = sent + len(orjson.dumps(Review.model_json_schema())) + 10
    plan = plan_of(FIRST, retries=0, limits=CallLimits(prompt_bytes=room))
    with pytest.raises(ModelCallFailed, match="is above its limit") as caught:
        await (await live(server, plan=plan)).ask(request)
    assert [record.failure for record in caught.value.records] == ["schema_refused", "bad_request"]


async def test_a_schema_that_no_strict_provider_takes_is_not_sent(server, live):
    response = await (await live(server)).ask(replace(review_request(), output=Loose))
    assert (response.outcome, len(response.records)) == ("accepted", 1)
    assert server.seen[0].json()["response_format"] == {"type": "json_object"}


# --- who is not there ----------------------------------------------------------------------------------------------


async def test_a_missing_key_is_named_and_nobody_asked(server, live):
    with pytest.raises(ModelCallFailed, match="CANARY_API_KEY") as caught:
        await (await live(server, key=None)).ask(review_request())
    assert caught.value.reason == "not_configured"
    assert server.count == 0


async def test_a_wrong_key_is_not_printed(server, live):
    with pytest.raises(ModelCallFailed, match="auth") as caught:
        await (await live(server, key="wrong-key-0123456789")).ask(review_request())
    assert "wrong-key" not in repr((caught.value, caught.value.records))


async def test_a_gateway_without_providers_says_so():
    with pytest.raises(ModelCallFailed, match="there is no provider first") as caught:
        await LiveGateway(plan_of(FIRST), nobody).ask(review_request())
    assert caught.value.reason == "not_configured"
    roles = LiveGateway(ModelPlan(), nobody).roles()
    assert all(played.route is None and "mendel.toml" in played.why_not for played in roles.values())


async def test_a_server_that_is_gone_is_a_failure_and_the_fallback_answers():
    async with ModelServer("schema") as gone, ModelServer("schema") as there:
        urls = {FIRST: gone.url, SECOND: there.url}
        await gone.stop()
        gateway = LiveGateway(
            plan_of(FIRST, fallback=SECOND),
            lambda provider: open_wire(WireContext(provider, base_url=f"{urls[provider]}/v1")),
            sleep=at_once,
        )
        async with gateway:
            response = await gateway.ask(review_request())
    assert response.provider.provider == SECOND
    assert [record.failure for record in response.records] == ["connection"] * 3 + [None]
    assert all(record.provider.cost_microusd == 0 for record in response.records[:3]), "nothing was sent"


# --- tools ---------------------------------------------------------------------------------------------------------


async def test_tools_are_wished_for_and_answered(live):
    tool = ToolDescriptor(
        name="web_search",
        description="searches",
        parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    )
    role = RolePlan(sources=(source(FIRST),), limits=PATIENT)
    async with ModelServer("tools") as server:
        gateway = await live(server, plan=ModelPlan(roles={"population_generator": role}))
        request = replace(ModelRequest.prompt("population_generator", "Find peas.", output=Review), tools=(tool,))
        wish = await gateway.ask(request)
        assert (wish.outcome, wish.output) == ("accepted", None)
        (call,) = wish.tool_calls
        assert wish.records[0].tool_calls == (call,)
        asked = Message(role="assistant", content=wish.text, tool_calls=wish.tool_calls)
        told = data_message("result of web_search", "Peas are green.").model_copy(
            update={"role": "tool", "tool_call_id": call.id}
        )
        answered = await gateway.ask(replace(request, messages=(*request.messages, asked, told)))
    assert isinstance(answered.output, Review)


# --- at once -------------------------------------------------------------------------------------------------------


async def test_many_at_once_some_of_them_unlucky(server, live):
    for fault in ("500", "reset", "html", "not_json", "missing_field", "429", "fenced", "usage_missing"):
        server.fail(fault, times=3)
    messages = [(Message(role="system", content=FRAMING), data_message("candidate", f"number {n}")) for n in range(96)]
    gateway = await live(server, plan=plan_of(FIRST, retries=10))
    asked = [gateway.ask(ModelRequest(role=ROLE, messages=each, output=Review)) for each in messages]
    responses = await asyncio.gather(*asked)
    assert all(response.accepted for response in responses)
    assert sum(len(response.records) for response in responses) == server.count
    for number, response in enumerate(responses):
        assert all(f"number {number}\\n" in record.request for record in response.records)

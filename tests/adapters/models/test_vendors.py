"""Vendors behind pydantic-ai: Anthropic against the model server, the others against an endpoint of their own shape."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import re
import subprocess
import sys
import zlib
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.models.scripted_server import ScriptedServer, ServedWireStage
from tests.adapters.models.vendor_shapes import (
    ANTHROPIC,
    BEDROCK,
    CLAUDE,
    GOOGLE,
    KEY,
    MISTRAL,
    QUERY,
    SAID,
    SHAPES,
    Endpoint,
    Shape,
    called,
    choice,
)
from tests.support.model_server import ModelServer
from tests.support.rows import check_rows

from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.vendor_usage import COUNTERS, usage_of, without_usage
from mendel.adapters.models.vendors import VENDORS, open_vendor
from mendel.conformance.model_gateway import ModelGatewayContract
from mendel.conformance.model_stage import ModelStage, Turn
from mendel.conformance.model_wire import ModelWireContract, WireStage
from mendel.contracts.model_calls import CallLimits, FailureReason, Message, Sampling, ToolCall, ToolDescriptor
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import PROVIDER_KEYS
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_gateway import ModelGateway
from mendel.ports.model_wire import ModelWire, OutputSchema, WireAnswer, WireContext, WireFailed, WireRequest, WireUsage

pytestmark = pytest.mark.filterwarnings("ignore:invalid escape sequence")  # in a vendor's SDK, when it is compiled

PROMPT = "Which of the peas in the monastery garden are wrinkled?"
NAMES = sorted({name for each in COUNTERS.values() for name in (*each.path, *each[1:3], *each.more_in)})
PAGE = Path(__file__).parents[3] / "docs" / "ports" / "model_wire.md"
OLDER = "claude-3-haiku-20240307"
SCHEMA = OutputSchema(
    "Score",
    {
        "type": "object",
        "properties": {"score": {"type": "integer"}},
        "required": ["score"],
        "additionalProperties": False,
    },
)
SEARCH = ToolDescriptor(
    name="web_search",
    description="Search the web.",
    parameters={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)
QUICK = CallLimits(timeout_ms=400)
PATIENT = CallLimits(timeout_ms=60_000)


def question(model_id: str = CLAUDE, **more: Any) -> WireRequest:
    messages = (Message(role="system", content="Be brief."), Message(role="user", content=PROMPT))
    return WireRequest(model_id, more.pop("messages", messages), **{"limits": PATIENT, **more})


def anthropic(url: str, key: str | None = KEY) -> ModelWire:
    return open_vendor(WireContext("anthropic", base_url=url, api_key=key))


async def failure(wire: ModelWire, request: WireRequest) -> WireFailed:
    with pytest.raises(WireFailed) as caught:
        await wire.complete(request)
    return caught.value


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with ModelServer("schema", key=KEY) as server:
        yield server


@pytest.fixture
async def wire(server: ModelServer) -> AsyncIterator[ModelWire]:
    async with anthropic(server.url) as wire:
        yield wire


class TestAnthropicKeepsTheContract(ModelWireContract):
    @pytest.fixture
    async def stage(self) -> AsyncIterator[WireStage]:
        async with ScriptedServer("anthropic") as server:
            yield ServedWireStage(server, open_vendor, WireContext("mine", kind="anthropic"), path="")


class Claude(ModelWire):
    """Asks a model with structured output of its own, whichever is asked for.

    Of an answer that is given to a tool nobody sees that it had a key twice: the provider has read it already.
    """

    def __init__(self, wire: ModelWire) -> None:
        self._wire = wire

    async def complete(self, request: WireRequest) -> WireAnswer:
        return replace(await self._wire.complete(replace(request, model_id=CLAUDE)), model_id=request.model_id)

    async def aclose(self) -> None:
        await self._wire.aclose()


class GatewayStage(ModelStage):
    """The live gateway whose providers all speak as Anthropic does."""

    def __init__(self, server: ScriptedServer) -> None:
        self._server = server

    async def open(self, plan: ModelPlan, script: Mapping[str, Sequence[Turn]]) -> ModelGateway:
        self._server.scripts = {name: deque(turns) for name, turns in script.items()}
        return LiveGateway(plan, self._wire, scrubber=Scrubber([self.key]), sleep=lambda _seconds: asyncio.sleep(0))

    def _wire(self, provider: str) -> ModelWire:
        if provider not in self._server.scripts:
            raise WireFailed("not_configured", f"there is no provider {provider}", unsent=True)
        context = WireContext(provider, kind="anthropic", base_url=self._server.url(provider), api_key=self.key)
        return Claude(open_vendor(context))

    def asked(self, provider: str) -> Sequence[str]:
        return self._server.texts(provider)


class TestTheGatewayOverAnthropic(ModelGatewayContract):
    @pytest.fixture
    async def stage(self) -> AsyncIterator[ModelStage]:
        async with ScriptedServer("anthropic") as server:
            yield GatewayStage(server)


class TestAnthropic:
    async def test_answers_with_what_was_said_and_used(self, server: ModelServer, wire: ModelWire):
        answer = await wire.complete(question())
        assert answer.text
        assert answer.model_id == CLAUDE
        assert answer.request_id == "req_000000000000000000000001"
        assert isinstance(answer.usage.tokens_in, int)
        assert isinstance(answer.usage.tokens_out, int)
        assert (answer.cut, answer.refused, answer.tool_calls) == (False, False, ())
        assert server.count == 1

    async def test_passes_on_how_an_answer_is_drawn(self, server: ModelServer, wire: ModelWire):
        sampling = Sampling(temperature=0.25, top_p=0.5, seed=7, stop=("END",))
        await wire.complete(question(sampling=sampling, limits=CallLimits(tokens_out=123)))
        sent = server.seen[0].json()
        assert (sent["temperature"], sent["top_p"], sent["stop_sequences"]) == (0.25, 0.5, ["END"])
        assert sent["max_tokens"] == 123
        assert sent["model"] == CLAUDE
        assert not sent.get("stream")

    async def test_keeps_turns_apart_and_the_system_first(self, server: ModelServer, wire: ModelWire):
        messages = (
            Message(role="user", content="first"),
            Message(role="user", content="second"),
            Message(role="assistant", content="third"),
            Message(role="system", content="late"),
            Message(role="user", content="fourth"),
        )
        await wire.complete(question(messages=messages))
        sent = server.seen[0].json()
        assert "late" in str(sent["system"])
        assert [turn["role"] for turn in sent["messages"]] == ["user", "assistant", "user"]
        assert [block["text"] for block in sent["messages"][0]["content"]] == ["first", "second"]

    @pytest.mark.parametrize("model_id", [CLAUDE, OLDER])
    async def test_a_schema_is_enforced_in_the_models_own_way(
        self, server: ModelServer, wire: ModelWire, model_id: str
    ):
        answer = await wire.complete(question(model_id, output=SCHEMA))
        assert isinstance(orjson.loads(answer.text)["score"], int)
        assert answer.tool_calls == ()
        sent = server.seen[0].json()
        assert ("output_config" in sent) is (model_id == CLAUDE)
        assert ("tools" in sent) is (model_id == OLDER)

    @pytest.mark.parametrize("mode", ["json_object", "prompt"])
    async def test_other_modes_enforce_nothing(self, server: ModelServer, wire: ModelWire, mode: Any):
        await wire.complete(question(OLDER, output=SCHEMA, mode=mode))
        assert server.seen[0].json().keys().isdisjoint({"output_config", "tools", "tool_choice"})

    @check_rows("model_id", [CLAUDE, OLDER])
    @check_rows("output", [None, SCHEMA])
    async def test_tools_are_called_and_their_results_told(self, model_id: str, output: OutputSchema | None):
        async with ModelServer("tools") as server, anthropic(server.url) as wire:
            asked = question(model_id, output=output, tools=(SEARCH,))
            first = await wire.complete(asked)
            assert [call.name for call in first.tool_calls] == ["web_search"]
            assert isinstance(orjson.loads(first.tool_calls[0].arguments)["query"], str)
            told = (
                *asked.messages,
                Message(role="assistant", content=first.text, tool_calls=first.tool_calls),
                Message(role="tool", content="eleven of them", tool_call_id=first.tool_calls[0].id),
            )
            second = await wire.complete(question(model_id, output=output, tools=(SEARCH,), messages=told))
            assert second.tool_calls == ()
            assert second.text
            *_, calling, result = server.seen[1].json()["messages"]
            assert calling["content"][-1]["id"] == result["content"][0]["tool_use_id"] == first.tool_calls[0].id
            assert "eleven of them" in str(result)

    async def test_says_when_an_answer_is_cut_or_refused(self, server: ModelServer, wire: ModelWire):
        server.fail("length")
        server.fail("refusal")
        assert (await wire.complete(question())).cut
        assert (await wire.complete(question())).refused

    @pytest.mark.parametrize("fault", ["usage_missing", "usage_negative", "usage_absurd", "usage_strings"])
    async def test_usage_is_passed_on_as_it_was_told(self, server: ModelServer, wire: ModelWire, fault: str):
        server.fail(fault)
        answer = await wire.complete(question(output=SCHEMA))
        assert orjson.loads(answer.text)
        believed = isinstance(answer.usage.tokens_in, int) and 0 <= answer.usage.tokens_in < 2**53
        assert not believed

    async def test_counts_what_was_read_from_a_cache(self):
        used = {"input_tokens": 5, "output_tokens": 2, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 7}
        async with Endpoint() as endpoint, anthropic(endpoint.url) as wire:
            endpoint.say(200, {**ANTHROPIC.good, "usage": used})
            assert (await wire.complete(question())).usage == WireUsage(42, 2)


FAULTS: list[tuple[str, FailureReason, bool]] = [
    ("400", "bad_request", True),
    ("401", "auth", True),
    ("403", "auth", True),
    ("404", "bad_request", True),
    ("413", "bad_request", True),
    ("429", "rate_limited", True),
    ("429_date", "rate_limited", True),
    ("500", "overloaded", False),
    ("503", "overloaded", True),
    ("529", "overloaded", True),
    ("redirect", "bad_request", True),
    ("schema_refused", "schema_refused", True),
    ("cut", "connection", False),
    ("cut_body", "connection", False),
    ("reset", "connection", False),
    ("reset_body", "connection", False),
    ("bad_envelope", "unreadable", False),
    ("bad_utf8", "unreadable", False),
    ("html", "unreadable", False),
    ("odd_envelope", "unreadable", False),
    ("gzip_bomb", "answer_too_large", False),
    ("huge", "answer_too_large", False),
    ("endless", "answer_too_large", False),
]


class TestFaults:
    @pytest.mark.parametrize(("fault", "reason", "unsent"), FAULTS)
    async def test_a_fault_is_one_request_and_has_its_reason(
        self, server: ModelServer, wire: ModelWire, fault: str, reason: FailureReason, unsent: bool
    ):
        server.fail(fault, times=None)
        failed = await failure(wire, question(output=SCHEMA))
        assert (failed.reason, failed.unsent) == (reason, unsent)
        assert server.count == 1
        assert KEY not in str(failed)
        assert PROMPT not in str(failed)

    @pytest.mark.parametrize("fault", ["hang", "drip", "drip_head"])
    async def test_an_answer_has_so_much_time_in_all(self, server: ModelServer, wire: ModelWire, fault: str):
        server.fail(fault)
        failed = await failure(wire, question(limits=QUICK))
        assert (failed.reason, failed.unsent) == ("timeout", False)
        assert (await wire.complete(question())).text

    @pytest.mark.parametrize("fault", ["429", "429_date"])
    async def test_tells_how_long_to_stay_away(self, server: ModelServer, wire: ModelWire, fault: str):
        server.fail(fault, retry_after=20)
        failed = await failure(wire, question())
        assert failed.retry_after_s is not None
        assert 10 <= failed.retry_after_s <= 20

    async def test_an_answer_may_be_so_large_and_no_larger(self, server: ModelServer, wire: ModelWire):
        size = len((await wire.complete(question())).text)
        failed = await failure(wire, question(limits=CallLimits(answer_bytes=size)))
        assert failed.reason == "answer_too_large"

    async def test_the_key_is_in_no_message_and_no_log_line(
        self, server: ModelServer, wire: ModelWire, caplog: pytest.LogCaptureFixture
    ):
        caplog.set_level(logging.DEBUG)
        server.fail("echo_key")
        failed = await failure(wire, question())
        await wire.complete(question())
        assert failed.reason == "auth"
        assert KEY not in f"{failed!r} {failed.__cause__!r} {failed.__context__!r} {wire!r}"
        assert KEY not in caplog.text

    async def test_what_a_provider_repeats_of_the_prompt_is_not_told(self):
        async with Endpoint() as endpoint, anthropic(endpoint.url) as wire:
            endpoint.say(400, {"type": "error", "error": {"type": "x", "message": f"not this: {PROMPT[5:40]}"}})
            assert str(await failure(wire, question())) == "HTTP 400"
            endpoint.say(400, {"type": "error", "error": {"type": "x", "message": "max_tokens is too large"}})
            assert "max_tokens is too large" in str(await failure(wire, question()))

    async def test_nobody_there_is_a_connection_that_sent_nothing(self):
        async with Endpoint() as endpoint:
            url = endpoint.url
        async with anthropic(url) as wire:
            failed = await failure(wire, question())
        assert (failed.reason, failed.unsent) == ("connection", True)

    @check_rows("url", ["ftp://127.0.0.1/", "http://[::1", "nothing"])
    async def test_an_address_that_is_none_sends_nothing(self, url: str):
        async with anthropic(url) as wire:
            failed = await failure(wire, question())
        assert failed.unsent
        assert failed.reason in ("not_configured", "bad_request", "connection")

    async def test_text_that_is_no_unicode_sends_nothing(self, server: ModelServer, wire: ModelWire):
        failed = await failure(wire, question(messages=(Message(role="user", content="\ud800"),)))
        assert (failed.reason, failed.unsent, server.count) == ("bad_request", True, 0)


class TestOneCall:
    async def test_many_questions_at_once_do_not_mix(self, server: ModelServer, wire: ModelWire):
        prompts = [f"question {number}" for number in range(48)]
        asked = [question(messages=(Message(role="user", content=prompt),)) for prompt in prompts]
        together = await asyncio.gather(*(wire.complete(each) for each in asked))
        assert server.count == len(prompts)
        alone = [(await wire.complete(each)).text for each in asked]
        assert [answer.text for answer in together] == alone

    async def test_nothing_is_kept_from_one_answer_for_the_next_question(self, server: ModelServer, wire: ModelWire):
        server.fail("cookie")
        await wire.complete(question())
        await wire.complete(question())
        assert all("cookie" not in request.headers for request in server.seen)

    async def test_a_closed_wire_can_be_asked_again(self, wire: ModelWire):
        before = await wire.complete(question())
        await wire.aclose()
        await wire.aclose()
        assert (await wire.complete(question())).text == before.text

    async def test_a_second_call_for_one_question_is_refused_and_told(self):
        """Google's SDK goes on by itself where an answer says that it can be continued."""
        async with Endpoint() as endpoint:
            said = {**GOOGLE.good["candidates"][0], "continuationToken": "bW9yZQ==", "finishReason": "CONTINUATION"}
            endpoint.say(200, {**GOOGLE.good, "candidates": [said]})
            async with GOOGLE.wire(endpoint.url) as wire:
                failed = await failure(wire, question(GOOGLE.model_id))
        assert (failed.reason, failed.unsent) == ("answer_too_large", False)
        assert len(endpoint.seen) == 1


class TestOpening:
    @pytest.mark.parametrize("vendor", ["anthropic", "google", "mistral", "bedrock"])
    async def test_a_missing_key_is_named(self, vendor: str, monkeypatch: pytest.MonkeyPatch):
        for name in (*PROVIDER_KEYS.values(), "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "GOOGLE_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        async with open_vendor(WireContext(vendor)) as wire:
            failed = await failure(wire, question())
        assert (failed.reason, failed.unsent) == ("not_configured", True)
        assert PROVIDER_KEYS[vendor] in str(failed)

    async def test_the_variable_of_the_settings_is_the_one_named(self):
        async with open_vendor(WireContext("mine", kind="anthropic", key_variable="MY_KEY")) as wire:
            failed = await failure(wire, question())
        assert str(failed) == "mine needs a key: set the variable MY_KEY"

    async def test_the_environments_key_is_not_taken_unasked(
        self, server: ModelServer, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        async with anthropic(server.url, key=None) as wire:
            assert (await failure(wire, question())).reason == "not_configured"
        assert server.count == 0

    async def test_a_key_that_cannot_be_one_is_not_sent(self, server: ModelServer):
        async with anthropic(server.url, key=f"{KEY}\r\nx: y") as wire:
            failed = await failure(wire, question())
        assert (failed.reason, failed.unsent, server.count) == ("auth", True, 0)
        assert KEY not in str(failed)

    def test_a_name_that_nobody_knows_answers_with_the_known_ones(self):
        with pytest.raises(WireFailed, match=r"'clippy'.*anthropic.*mistral"):
            open_vendor(WireContext("clippy"))

    @check_rows("vendor", sorted(VENDORS))
    def test_a_missing_library_is_not_configured(self, vendor: str):
        code = (
            "import sys; sys.modules['pydantic_ai'] = None\n"
            "from mendel.adapters.models.vendors import open_vendor\n"
            "from mendel.ports.model_wire import WireContext, WireFailed\n"
            f"try: open_vendor(WireContext({vendor!r}))\n"
            "except WireFailed as failed: print(failed.reason, failed)\n"
        )
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        assert said.stdout.startswith("not_configured"), said.stderr
        assert "pip install 'mendel[models]'" in said.stdout

    @check_rows("module", ["mendel", "mendel.adapters.models.live", "mendel.adapters.models.vendors", "mendel.wiring"])
    def test_no_sdk_is_imported_before_a_wire_is_opened(self, module: str):
        code = f"import sys, {module}; print(*sorted(sys.modules))"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
        rooms = {name.partition(".")[0] for name in said.stdout.split()}
        assert "mendel" in rooms, said.stderr
        sdks = {"anthropic", "boto3", "botocore", "cohere", "google", "huggingface_hub"}
        assert rooms.isdisjoint(sdks | {"litellm", "mistralai", "openai", "pydantic_ai"})


@pytest.fixture(params=SHAPES, ids=lambda shape: shape.vendor)
def shape(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Shape:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDPLANTED")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", KEY)
    monkeypatch.setenv("AWS_SESSION_TOKEN", KEY)
    found: Shape = request.param
    return found


@asynccontextmanager
async def opened(shape: Shape) -> AsyncIterator[tuple[Endpoint, ModelWire]]:
    async with Endpoint() as endpoint, shape.wire(endpoint.url) as wire:
        yield endpoint, wire


class TestEveryVendor:
    async def test_a_good_answer(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, shape.good, x_request_id="call-1")
            answer = await wire.complete(question(shape.model_id))
        assert answer == WireAnswer(SAID, shape.model_id, "call-1", WireUsage(7, 5))
        assert len(endpoint.seen) == 1
        assert endpoint.seen[0][0].endswith(shape.path)
        assert PROMPT in str(endpoint.seen[0][2])

    async def test_a_schema_is_sent_along(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, shape.good)
            answer = await wire.complete(question(shape.model_id, output=SCHEMA))
        assert answer.text == SAID
        assert shape.schema_at(endpoint.seen[0][2])["properties"].keys() == {"score"}

    async def test_what_is_given_to_the_tool_of_a_schema_is_the_answer(self):
        async with opened(MISTRAL) as (endpoint, wire):
            endpoint.say(200, {**MISTRAL.good, **choice(called("final_result", {"score": 3}), "tool_calls")})
            answer = await wire.complete(question(MISTRAL.model_id, output=SCHEMA))
        assert orjson.loads(answer.text) == {"score": 3}
        assert answer.tool_calls == ()

    async def test_tools_are_called_and_their_results_told(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, {**shape.good, **shape.calling})
            asked = question(shape.model_id, tools=(SEARCH,))
            first = await wire.complete(asked)
            calling = Message(role="assistant", content="", tool_calls=first.tool_calls)
            result = Message(role="tool", content="eleven of them", tool_call_id=first.tool_calls[0].id)
            endpoint.say(200, shape.good)
            await wire.complete(question(shape.model_id, tools=(SEARCH,), messages=(*asked.messages, calling, result)))
        assert [(call.name, orjson.loads(call.arguments)) for call in first.tool_calls] == [("web_search", QUERY)]
        assert "eleven of them" in str(endpoint.seen[1][2])

    async def test_says_when_an_answer_is_cut_or_refused(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, {**shape.good, **shape.cut})
            assert (await wire.complete(question(shape.model_id))).cut
            if shape.refused is not None:
                endpoint.say(200, {**shape.good, **shape.refused})
                assert (await wire.complete(question(shape.model_id))).refused

    @check_rows(
        ("status", "reason", "after"),
        [(400, "bad_request", None), (401, "auth", None), (429, "rate_limited", 7.0), (500, "overloaded", 7.0)],
    )
    async def test_an_error_is_one_request(self, shape: Shape, status: int, reason: FailureReason, after: float | None):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(status, {"error": {"message": f"no: {KEY}"}}, retry_after="7", x_request_id="call-1")
            failed = await failure(wire, question(shape.model_id))
        assert (failed.reason, failed.retry_after_s, failed.request_id) == (reason, after, "call-1")
        assert len(endpoint.seen) == 1
        assert KEY not in str(failed)

    async def test_a_schema_that_is_refused(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(400, {"message": "Invalid schema.", "error": {"message": "Invalid schema."}})
            assert (await failure(wire, question(shape.model_id, output=SCHEMA))).reason == "schema_refused"
            assert (await failure(wire, question(shape.model_id))).reason == "bad_request"

    async def test_silence_is_a_timeout_and_leaves_the_wire_whole(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.hang()
            assert (await failure(wire, question(shape.model_id, limits=QUICK))).reason == "timeout"
            endpoint.say(200, shape.good)
            assert (await wire.complete(question(shape.model_id))).text == SAID

    async def test_an_answer_that_is_too_large(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, shape.good)
            limits = CallLimits(answer_bytes=50)
            assert (await failure(wire, question(shape.model_id, limits=limits))).reason == "answer_too_large"

    @check_rows("body", [b"", b"{", b"[1, 2]", b"{}", b"null", b'"text"', b"<html>", b"\xff\xfe"])
    async def test_an_envelope_that_is_none(self, shape: Shape, body: bytes):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, body)
            assert (await failure(wire, question(shape.model_id))).reason == "unreadable"

    @check_rows("told", [None, 17, "many", [], {"input_tokens": -1}])
    async def test_whatever_is_told_of_usage_the_answer_is_read(self, shape: Shape, told: object):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, {**shape.good, "usage": told, "usageMetadata": told})
            assert (await wire.complete(question(shape.model_id))).text == SAID

    async def test_many_may_ask_at_once(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, shape.good)
            answers = await asyncio.gather(*(wire.complete(question(shape.model_id)) for _ in range(64)))
        assert [answer.text for answer in answers] == [SAID] * 64
        assert len(endpoint.seen) == 64

    async def test_a_question_given_up_leaves_the_wire_whole(self, shape: Shape):
        async with opened(shape) as (endpoint, wire):
            endpoint.hang()
            asking = asyncio.create_task(wire.complete(question(shape.model_id)))
            while not endpoint.seen:
                await asyncio.sleep(0.01)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            endpoint.say(200, shape.good)
            assert (await wire.complete(question(shape.model_id))).text == SAID
        assert len(endpoint.seen) == 2

    async def test_nothing_secret_is_logged(self, shape: Shape, caplog: pytest.LogCaptureFixture):
        caplog.set_level(logging.DEBUG)
        async with opened(shape) as (endpoint, wire):
            endpoint.say(200, shape.good)
            await wire.complete(question(shape.model_id))
        assert KEY not in caplog.text


class TestCompression:
    """Nobody asks for it; some proxies do it all the same."""

    @pytest.mark.parametrize(("encoding", "packed"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
    async def test_a_compressed_answer_is_read(self, encoding: str, packed: Callable[[bytes], bytes]):
        async with opened(ANTHROPIC) as (endpoint, wire):
            endpoint.say(200, packed(orjson.dumps(ANTHROPIC.good)), content_encoding=encoding)
            assert (await wire.complete(question())).text == SAID
            assert endpoint.seen[0][1]["accept-encoding"] == "identity"

    @pytest.mark.parametrize(("encoding", "body"), [("gzip", b"no such thing"), ("br", b"\x0b\x02")])
    async def test_what_cannot_be_unpacked_cannot_be_read(self, encoding: str, body: bytes):
        async with opened(ANTHROPIC) as (endpoint, wire):
            endpoint.say(200, body, content_encoding=encoding)
            assert (await failure(wire, question())).reason == "unreadable"


class TestWordsOfOneVendor:
    async def test_google_calls_a_wrong_key_a_bad_request(self):
        async with opened(GOOGLE) as (endpoint, wire):
            details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
            endpoint.say(400, {"error": {"code": 400, "message": "API key not valid.", "details": details}})
            assert (await failure(wire, question(GOOGLE.model_id))).reason == "auth"

    async def test_google_says_in_the_body_when_to_come_back(self):
        async with opened(GOOGLE) as (endpoint, wire):
            details = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "17.5s"}]
            endpoint.say(429, {"error": {"code": 429, "message": "Check your plan and billing.", "details": details}})
            failed = await failure(wire, question(GOOGLE.model_id))
        assert (failed.reason, failed.retry_after_s) == ("rate_limited", 17.5)

    async def test_mistral_gets_ids_of_the_length_that_it_wants(self):
        calls = ("toolu_of_another_provider", "abcdefghi")
        async with opened(MISTRAL) as (endpoint, wire):
            endpoint.say(200, MISTRAL.good)
            asked = question(MISTRAL.model_id)
            for number, call_id in enumerate(calls):
                asked = told_of_a_call(asked, call_id, f"result {number}")
            await wire.complete(asked)
        turns = endpoint.seen[0][2]["messages"]
        sent = [call["id"] for turn in turns for call in turn.get("tool_calls") or ()]
        assert sent == [turn["tool_call_id"] for turn in turns if turn["role"] == "tool"]
        assert [len(each) for each in sent] == [9, 9]
        assert sent[1] == "abcdefghi"

    async def test_bedrock_takes_a_key_over_tls_only(self):
        context = WireContext("bedrock", base_url="http://127.0.0.1:9", api_key=KEY)
        async with open_vendor(context) as wire:
            failed = await failure(wire, question(BEDROCK.model_id))
        assert (failed.reason, failed.unsent) == ("not_configured", True)

    async def test_bedrocks_own_key_goes_to_its_own_address_alone(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.delenv("AWS_ACCESS_KEY_ID", raising=False)
        monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", KEY)
        async with Endpoint() as endpoint, BEDROCK.wire(endpoint.url) as wire:
            failed = await failure(wire, question(BEDROCK.model_id))
        assert (failed.reason, endpoint.seen) == ("not_configured", [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES) | st.text(), inner, max_size=4),
    max_leaves=12,
)


class TestUsage:
    @given(vendor=st.sampled_from(sorted(COUNTERS)), answer=JSON)
    def test_whatever_is_answered_is_read(self, vendor: str, answer: object):
        body = json.dumps(answer).encode()
        told = usage_of(vendor, body)
        shown = json.loads(without_usage(vendor, body))
        if isinstance(shown, dict) and shown != answer:
            assert usage_of(vendor, without_usage(vendor, body)) == WireUsage(0, 0)
            top = COUNTERS[vendor].path[0]
            assert {name for name in shown if name != top} == {name for name in answer if name != top}
        assert told.tokens_in is None or isinstance(told.tokens_in, (int, float, str, list, dict))

    @given(vendor=st.sampled_from(sorted(COUNTERS)), body=st.binary(max_size=64))
    def test_bytes_that_are_nothing_tell_nothing(self, vendor: str, body: bytes):
        usage_of(vendor, body)
        without_usage(vendor, body)

    @given(vendor=st.sampled_from(sorted(COUNTERS)), counts=st.tuples(st.integers(0, 2**40), st.integers(0, 2**40)))
    def test_counts_are_passed_on(self, vendor: str, counts: tuple[int, int]):
        counters = COUNTERS[vendor]
        told: dict[str, Any] = {counters.tokens_in: counts[0], counters.tokens_out: counts[1]}
        for name in reversed(counters.path):
            told = {name: told}
        assert usage_of(vendor, orjson.dumps(told)) == WireUsage(*counts)


class TestThePage:
    """What docs/ports/model_wire.md says."""

    async def test_its_wire_works(self, monkeypatch: pytest.MonkeyPatch):
        (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
        page: dict[str, Any] = {"__name__": "my_package"}
        exec(code, page)
        async with Endpoint() as endpoint:
            context = WireContext("mine", base_url=endpoint.url, api_key=KEY, key_variable="MINE_KEY")
            async with page["open_mine"](context) as wire:
                endpoint.say(200, {"text": "eleven", "in": 3, "out": 1})
                assert await wire.complete(question("m")) == WireAnswer("eleven", "m", None, WireUsage(3, 1))
                for status, reason in {429: "rate_limited", 401: "auth", 404: "bad_request", 503: "overloaded"}.items():
                    endpoint.say(status, {})
                    assert (await failure(wire, question("m"))).reason == reason
                endpoint.say(200, b"{}")
                assert (await failure(wire, question("m"))).reason == "unreadable"
                endpoint.hang()
                assert (await failure(wire, question("m", limits=QUICK))).reason == "timeout"

    def test_every_reason_is_in_its_table(self):
        table = PAGE.read_text().partition("| reason |")[2].partition("\n\n")[0]
        named = {row.split("`")[1] for row in table.splitlines() if row.startswith("| `")}
        assert named == {*get_args(FailureReason)} - {"over_allowance", "not_recorded"}

    def test_every_vendor_is_in_its_table(self):
        implementations = PAGE.read_text().partition("## Implementations")[2]
        assert all(f"`{name}`" in implementations for name in VENDORS)


def told_of_a_call(request: WireRequest, call_id: str, result: str) -> WireRequest:
    call = ToolCall(id=call_id, name="web_search", arguments='{"query": "peas"}')
    calling = Message(role="assistant", content="", tool_calls=(call,))
    answered = Message(role="tool", content=result, tool_call_id=call_id)
    return question(request.model_id, messages=(*request.messages, calling, answered), tools=(SEARCH,))

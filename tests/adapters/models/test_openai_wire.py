"""The OpenAI-compatible wire against a real server on a real socket."""

import asyncio
from dataclasses import replace

import orjson
import pytest
import pytest_asyncio
from tests.adapters.models.scripted_server import ScriptedServer, ServedWireStage
from tests.support.model_server.server import ModelServer
from tests.support.rows import check_rows

from mendel.adapters.models.openai_wire import open_wire
from mendel.conformance.model_stage import GOOD
from mendel.conformance.model_wire import ModelWireContract, request_of
from mendel.contracts.model_calls import CallLimits, Sampling
from mendel.ports.model_wire import WireAnswer, WireContext, WireFailed

LIMITS = CallLimits()


@pytest_asyncio.fixture
async def stage():
    async with ScriptedServer("openai") as server:
        yield ServedWireStage(server, open_wire, WireContext("mine"))


class TestOpenAiWire(ModelWireContract):
    @pytest_asyncio.fixture
    async def stage(self):
        async with ScriptedServer("openai") as server:
            yield ServedWireStage(server, open_wire, WireContext("mine"))


# --- the question ------------------------------------------------------------------------------------------------


async def body_of(stage, request, turn=None):
    stage.script(turn or WireAnswer(GOOD, "test-model"))
    async with await stage.open() as wire:
        await wire.complete(request)
    return orjson.loads(stage.asked()[-1])


async def test_a_schema_is_held_to_strictly_where_the_provider_can(stage):
    body = await body_of(stage, request_of(mode="json_schema"))
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert set(body["response_format"]["json_schema"]["schema"]["properties"]) == {"score", "why"}


async def test_json_mode_is_asked_for_by_its_name(stage):
    assert (await body_of(stage, request_of(mode="json_object")))["response_format"] == {"type": "json_object"}


async def test_by_words_nothing_but_words_is_sent(stage):
    body = await body_of(stage, request_of(mode="prompt"))
    assert set(body) == {"model", "messages", "max_tokens"}
    assert [message["role"] for message in body["messages"]] == ["system", "system", "user"]


async def test_what_was_not_chosen_is_left_to_the_provider(stage):
    sampling = Sampling(temperature=0.0, seed=3, stop=("END",))
    body = await body_of(stage, replace(request_of(), sampling=sampling))
    assert {key: body[key] for key in ("temperature", "seed", "stop")} == {
        "temperature": 0.0,
        "seed": 3,
        "stop": ["END"],
    }
    assert "top_p" not in body


async def test_text_that_is_no_unicode_is_no_crash(stage):
    text = "half \ud83c of a seedling"
    stage.script(*[WireAnswer("seven", "test-model")] * 2)
    async with await stage.open() as wire:
        asked = (wire.complete(request_of(text)), wire.embed("small", [text], LIMITS))
        for outcome in await asyncio.gather(*asked, return_exceptions=True):
            assert isinstance(outcome, WireAnswer | WireFailed)


# --- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("json_schema", "schema_refused"),
        ("json_object", "schema_refused"),
        ("prompt", "bad_request"),
        (None, "bad_request"),
    ],
)
async def test_a_schema_is_refused_only_where_one_was_sent(stage, mode, reason):
    stage.script("schema_refused")
    async with await stage.open() as wire:
        with pytest.raises(WireFailed) as caught:
            await wire.complete(request_of(mode=mode))
    assert (caught.value.reason, caught.value.unsent) == (reason, True)


async def test_an_error_that_looks_well_is_an_error(stage):
    stage.script("error_in_200")
    async with await stage.open() as wire:
        with pytest.raises(WireFailed, match="not available") as caught:
            await wire.complete(request_of())
    assert caught.value.reason == "overloaded"


@pytest.mark.parametrize("key", ["line\nbreak-canary", "schlüssel-canary"], ids=["control", "letters"])
async def test_a_key_that_cannot_be_one_is_not_printed(stage, key):
    stage.key = key
    async with await stage.open() as wire:
        with pytest.raises(WireFailed, match=stage.key_variable) as caught:
            await wire.complete(request_of())
    assert caught.value.reason == "auth"
    assert "canary" not in str(caught.value)
    assert not stage.asked()


async def test_without_a_key_variable_none_is_needed():
    async with ModelServer() as server:
        context = WireContext("mine", base_url=f"{server.url}/v1")
        async with open_wire(context) as wire:
            assert (await wire.complete(request_of())).text == "ok"
        assert "authorization" not in server.seen[0].headers


async def test_the_key_goes_nowhere_else():
    """A redirect is not followed, so whoever is named there sees nothing."""
    async with ModelServer() as other, ModelServer() as server:
        server.fail("redirect", location=f"{other.url}/v1/chat/completions")
        context = WireContext("mine", base_url=f"{server.url}/v1", api_key="canary-0123456789")
        async with open_wire(context) as wire:
            with pytest.raises(WireFailed):
                await wire.complete(request_of())
        assert other.count == 0


async def test_no_cookie_is_kept():
    async with ModelServer() as server:
        server.fail("cookie")
        async with open_wire(WireContext("mine", base_url=f"{server.url}/v1")) as wire:
            await wire.complete(request_of())
            await wire.complete(request_of())
        assert all("cookie" not in each.headers for each in server.seen)


@pytest.mark.parametrize("url", ["", None])
def test_a_provider_without_an_address_says_what_to_set(url):
    with pytest.raises(WireFailed, match=r"llm\.providers\.mine\.base_url") as caught:
        open_wire(WireContext("mine", base_url=url))
    assert caught.value.reason == "not_configured"


@check_rows("url", ["ftp://x/v1", "http://", "nonsense", "http://[::1", "http://a b/", "http://x:99999/"])
async def test_an_address_that_is_none_is_told(url):
    async with open_wire(WireContext("mine", base_url=url, api_key="canary-0123456789")) as wire:
        with pytest.raises(WireFailed) as caught:
            await wire.complete(request_of())
    assert caught.value.reason in ("not_configured", "connection")


# --- embeddings --------------------------------------------------------------------------------------------------


@pytest.fixture
async def embedding():
    async with ModelServer() as server, open_wire(WireContext("mine", base_url=f"{server.url}/v1")) as wire:
        yield server, wire


async def test_vectors_come_in_the_order_of_the_texts(embedding):
    server, wire = embedding
    texts = ["peas", "beans", "peas and beans"]
    plain = await wire.embed("small", texts, LIMITS)
    server.fail("reordered_vectors")
    assert (await wire.embed("small", texts, LIMITS)).rows == plain.rows
    assert [len(row) for row in plain.rows] == [32] * 3
    assert plain.usage.tokens_in
    assert server.count == 2


@pytest.mark.parametrize("fault", ["fewer_vectors", "odd_vectors", "odd_envelope", "bad_envelope", "html"])
async def test_what_are_no_vectors_is_told(embedding, fault):
    server, wire = embedding
    server.fail(fault)
    with pytest.raises(WireFailed) as caught:
        await wire.embed("small", ["peas", "beans"], LIMITS)
    assert caught.value.reason == "unreadable"

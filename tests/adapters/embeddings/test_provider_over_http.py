"""A provider's embeddings over a real socket: the contract, and every way in which a server goes wrong."""

import asyncio

import pytest
from tests.support.model_server import ModelServer

from mendel.adapters.embeddings.provider import ProviderEmbedder
from mendel.adapters.models.openai_wire import open_wire
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.conformance.embedder import EmbedderContract
from mendel.contracts.embeddings import EmbeddingLimits
from mendel.contracts.errors import ModelCallFailed
from mendel.ports.embedder import Account
from mendel.ports.embedder_degradation import DegradingEmbedder
from mendel.ports.model_gateway import Budget
from mendel.ports.model_wire import WireContext

KEY = "sk-canary0123456789abcdef"
DIMENSION = 32


@pytest.fixture
async def server():
    async with ModelServer(key=KEY) as server:
        yield server


@pytest.fixture
async def opened(server):
    made = []

    async def no_pause(seconds):
        await asyncio.sleep(0)

    def opening(dimension=DIMENSION, key=KEY, **limits):
        context = WireContext(provider="acme", base_url=f"{server.url}/v1", api_key=key, key_variable="ACME_API_KEY")
        made.append(open_wire(context))
        chosen = EmbeddingLimits(**limits)
        return ProviderEmbedder(made[-1], "acme", "embed-1", dimension, limits=chosen, sleep=no_pause)

    yield opening
    for wire in made:
        await wire.aclose()


class TestProviderEmbedderOverHttp(EmbedderContract):
    @pytest.fixture
    def open_embedder(self, opened):
        return opened


async def test_calls_are_bounded_and_metered(server, opened):
    account = Account(Budget(10_000, 0))
    async with opened(texts_per_call=3) as embedder:
        found = await embedder.on_account(account).embed([f"text {number}" for number in range(10)])
    assert len(found) == 10
    assert len(server.seen) == len(account.records) == 4
    assert all(record.validation == "accepted" and not record.estimated for record in account.records)
    assert all(record.provider.request_id for record in account.records)
    assert account.budget.tokens == 10_000 - sum(record.provider.tokens_in for record in account.records)


@pytest.mark.parametrize("fault", ["429", "500", "503", "529", "cut", "cut_body", "reset", "bad_envelope", "html"])
async def test_what_passes_is_waited_out(server, opened, fault):
    server.fail(fault, times=2)
    account = Account()
    async with opened() as embedder:
        (vector,) = await embedder.on_account(account).embed(["pea"])
        (again,) = await embedder.embed(["pea"])
    assert vector.similarity(again) == pytest.approx(1.0)
    assert [record.failure is None for record in account.records] == [False, False, True]


@pytest.mark.parametrize(
    ("fault", "reason", "calls"),
    [
        ("400", "bad_request", 1),
        ("401", "auth", 1),
        ("403", "auth", 1),
        ("echo_key", "auth", 1),
        ("redirect", None, 1),
        ("gzip_bomb", "answer_too_large", 1),
        ("500", "overloaded", 3),
        ("fewer_vectors", "unreadable", None),
        ("ragged_vectors", "unreadable", None),
        ("odd_vectors", "unreadable", None),
    ],
)
async def test_what_does_not_pass_is_an_error_without_key_or_text(server, opened, fault, reason, calls):
    server.fail(fault, times=None)
    async with opened() as embedder:
        with pytest.raises(ModelCallFailed) as caught:
            await embedder.embed(["secret one", "secret two"])
    assert reason in (None, caught.value.reason)
    assert calls in (None, len(server.seen))
    told = str(caught.value) + "".join(record.model_dump_json() for record in caught.value.records)
    assert "canary" not in told
    assert "secret" not in told


@pytest.mark.parametrize("fault", ["hang", "drip"])
async def test_an_answer_that_never_ends_is_given_up(server, opened, fault):
    server.fail(fault, times=None)
    async with opened(timeout_ms=100, retries=0) as embedder:
        with pytest.raises(ModelCallFailed) as caught:
            await embedder.embed(["pea"])
    assert caught.value.reason == "timeout"


async def test_vectors_that_come_in_another_order_find_their_texts(server, opened):
    async with opened() as embedder:
        expected = await embedder.embed(["peas", "beans", "lentils"])
        server.fail("reordered_vectors")
        found = await embedder.embed(["peas", "beans", "lentils"])
    assert [vector.values.tobytes() for vector in found] == [vector.values.tobytes() for vector in expected]


@pytest.mark.parametrize("fault", ["usage_missing", "usage_negative", "usage_absurd", "usage_strings"])
async def test_what_it_says_it_used_is_believed_only_if_it_can_be(server, opened, fault):
    server.fail(fault)
    account = Account(Budget(1_000, 0))
    async with opened() as embedder:
        await embedder.on_account(account).embed(["twelve bytes"])
    (record,) = account.records
    assert record.estimated
    assert record.provider.tokens_in == 12


async def test_a_model_of_another_dimension_says_so(opened):
    async with opened(dimension=48) as embedder:
        with pytest.raises(ModelCallFailed, match=r"vectors of 32 numbers, not of 48"):
            await embedder.embed(["pea"])


async def test_a_missing_key_is_named_and_nobody_is_asked(server, opened):
    async with opened(key=None) as embedder:
        with pytest.raises(ModelCallFailed, match="ACME_API_KEY") as caught:
            await embedder.embed(["pea"])
    assert caught.value.reason == "not_configured"
    assert server.seen == []


async def test_secrets_in_a_text_never_reach_the_server(server, opened):
    async with opened() as embedder:
        await embedder.embed(["the key is sk-planted0123456789abcdef"])
    assert b"planted" not in server.seen[-1].body


async def test_a_server_that_stopped_degrades_a_batch_and_holds_nothing_up(server, opened):
    both = DegradingEmbedder(opened(), NgramEmbedder())
    assert (await both.embed(["peas", "beans"])).standing == "measured"
    await server.stop()
    embedded = await both.embed(["peas", "beans"])
    assert {vector.embedder for vector in embedded.vectors} == {"ngrams.1.512"}
    assert (embedded.standing, embedded.degraded.reason) == ("estimated", "connection")
    await both.aclose()

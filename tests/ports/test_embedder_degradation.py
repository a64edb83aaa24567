"""Embeddings that never hold up scoring: whole batches of one embedder, and the truth about which."""

import asyncio

import pytest
from tests.adapters.embeddings.wires import LettersWire
from tests.support.rows import check_rows

from mendel.adapters.embeddings.provider import ProviderEmbedder
from mendel.adapters.memory.embedder import MemoryEmbedder
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.contracts.embeddings import EmbeddingDegraded, EmbeddingLimits
from mendel.contracts.errors import BrokenPlugin, ModelCallFailed
from mendel.ports.embedder import Account, Embedder
from mendel.ports.embedder_degradation import DegradingEmbedder, Known
from mendel.ports.model_gateway import Budget
from mendel.ports.model_wire import WireFailed

TEXTS = ["peas are crossed", "beans are counted"]


class Failing(Embedder):
    """Raises what it is told to, as often as it is asked."""

    name = "failing.1"
    dimension = 4

    def __init__(self, error):
        self.error = error
        self.asked = 0

    async def _embed(self, texts):
        self.asked += 1
        raise self.error


class Hanging(Embedder):
    name = "hanging.1"
    dimension = 4

    async def _embed(self, texts):
        await asyncio.Event().wait()


class Counting(MemoryEmbedder):
    """Notes what it embeds."""

    def __init__(self):
        super().__init__(64)
        self.texts = []

    async def _embed(self, texts):
        self.texts.append(list(texts))
        return await super()._embed(texts)


async def test_as_long_as_the_primary_answers_nothing_is_degraded():
    fallback = Counting()
    embedded = await DegradingEmbedder(NgramEmbedder(64), fallback).embed(TEXTS)
    assert [vector.embedder for vector in embedded.vectors] == ["ngrams.1.64"] * 2
    assert (embedded.standing, embedded.degraded) == ("measured", None)
    assert fallback.texts == []


@check_rows(
    ("error", "reason"),
    [
        (ModelCallFailed("rate_limited", "acme is busy"), "rate_limited"),
        (ModelCallFailed("auth", "no"), "auth"),
        (BrokenPlugin("answered nonsense"), "broken_plugin"),
        (TimeoutError(), "timeout"),
        (RuntimeError("peas are crossed sk-canary0123456789abcdef"), "broken"),
        (OSError("peas are crossed"), "broken"),
    ],
)
async def test_whatever_goes_wrong_the_fallback_answers_and_it_is_said(error, reason):
    primary = Failing(error)
    embedded = await DegradingEmbedder(primary, NgramEmbedder(64)).embed(TEXTS)
    assert [vector.embedder for vector in embedded.vectors] == ["ngrams.1.64"] * 2
    assert embedded.standing == "estimated"
    degraded = embedded.degraded
    assert (degraded.reason, degraded.primary, degraded.fallback) == (reason, "failing.1", "ngrams.1.64")
    assert "peas" not in degraded.message
    assert "canary" not in degraded.message
    assert primary.asked == 1, "retries are the primary's own"
    assert EmbeddingDegraded.model_validate_json(degraded.model_dump_json()) == degraded


async def test_patience_is_bounded():
    embedded = await DegradingEmbedder(Hanging(), NgramEmbedder(64), patience_s=0.01).embed(TEXTS)
    assert (embedded.standing, embedded.degraded.reason) == ("estimated", "timeout")


async def test_without_any_embedder_the_component_is_absent_and_nothing_is_raised():
    second = Failing(RuntimeError("beans"))
    embedded = await DegradingEmbedder(Failing(ModelCallFailed("auth", "no key")), second).embed(TEXTS, [Known("old")])
    assert (embedded.standing, embedded.vectors, embedded.known) == ("absent", (), ())
    assert embedded.degraded.reason == "auth"
    assert embedded.degraded.message == "no key; then it raised RuntimeError"


async def test_who_stops_the_operation_stops_it():
    task = asyncio.ensure_future(DegradingEmbedder(Hanging(), NgramEmbedder(64)).embed(TEXTS))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_only_what_has_no_vector_yet_is_embedded_again():
    primary = Counting()
    old, older = await primary.embed(["old", "older"])
    primary.texts.clear()
    known = [Known("old", (old,)), Known("new to it"), Known("older", (older,))]
    embedded = await DegradingEmbedder(primary, NgramEmbedder(64)).embed(["fresh"], known)
    assert primary.texts == [["fresh", "new to it"]]
    assert (embedded.known[0], embedded.known[2]) == (old, older)
    (expected,) = await primary.embed(["new to it"])
    assert embedded.known[1].similarity(expected) == pytest.approx(1.0)


async def test_a_degraded_batch_is_embedded_whole_with_all_that_it_is_compared_with():
    good = MemoryEmbedder(64)
    known = [Known(text, (vector,)) for text, vector in zip(TEXTS, await good.embed(TEXTS), strict=True)]
    embedded = await DegradingEmbedder(Failing(OSError()), NgramEmbedder(64)).embed([TEXTS[0], "other"], known)
    assert {vector.embedder for vector in (*embedded.vectors, *embedded.known)} == {"ngrams.1.64"}
    similarities = [embedded.vectors[0].similarity(other) for other in embedded.known]
    assert similarities[0] == pytest.approx(1.0)
    assert similarities[1] < 0.9


async def test_a_batch_of_which_half_was_paid_for_changes_sides_whole():
    wire = LettersWire(faults=[lambda rows: rows, WireFailed("auth", "revoked", unsent=True)])
    primary = ProviderEmbedder(wire, "acme", "embed-1", 64, limits=EmbeddingLimits(texts_per_call=1))
    account = Account(Budget(1_000, 0))
    embedded = await DegradingEmbedder(primary, NgramEmbedder(64)).on_account(account).embed(TEXTS)
    assert [vector.embedder for vector in embedded.vectors] == ["ngrams.1.64"] * 2
    assert embedded.degraded.reason == "auth"
    assert [record.failure for record in account.records] == [None, "auth"]


async def test_the_primary_has_its_chance_again():
    wire = LettersWire(faults=[WireFailed("auth", "not yet", unsent=True)])
    both = DegradingEmbedder(ProviderEmbedder(wire, "acme", "embed-1", 64), NgramEmbedder(64))
    assert (await both.embed(TEXTS)).standing == "estimated"
    assert (await both.embed(TEXTS)).standing == "measured"
    await both.aclose()
    assert wire.closed == 1

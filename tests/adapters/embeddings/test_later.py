"""An embedder that is opened with its first text: the contract, and what becomes of one that cannot be."""

import asyncio

import pytest

from mendel.adapters.embeddings.later import OpenedLater
from mendel.adapters.ngrams.embedder import NgramEmbedder
from mendel.conformance.embedder import EmbedderContract
from mendel.contracts.errors import ConfigError
from mendel.ports.account import Account
from mendel.ports.embedder_degradation import DegradingEmbedder, Known


class Openings:
    """Opens n-grams, or raises what it was told to, and counts how often it was asked."""

    def __init__(self, error=None):
        self.error = error
        self.count = 0

    def __call__(self):
        self.count += 1
        if self.error is not None:
            raise self.error
        return NgramEmbedder(64)


class TestOpenedLater(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return lambda: OpenedLater("ngrams", Openings())


async def test_it_is_opened_once_however_many_ask_at_once_and_on_whose_account():
    openings = Openings()
    async with OpenedLater("ngrams", openings) as embedder:
        asking = [embedder, *(embedder.on_account(Account()) for _ in range(4))]
        assert openings.count == 0
        found = await asyncio.gather(*(each.embed(["round"]) for each in asking))
    assert openings.count == 1
    assert {vector.embedder for (vector,) in found} == {"ngrams.1.64"}


async def test_who_was_never_asked_is_closed_without_being_opened():
    openings = Openings()
    async with OpenedLater("ngrams", openings):
        pass
    assert openings.count == 0


@pytest.mark.parametrize(
    ("error", "reason", "told"),
    [(ConfigError("no weights"), "config", "no weights"), (ZeroDivisionError("secret"), "broken", "ZeroDivisionError")],
)
async def test_who_cannot_be_opened_is_tried_once_and_has_a_name(error, reason, told):
    openings = Openings(error)
    embedder = DegradingEmbedder(OpenedLater("peas", openings), NgramEmbedder())
    (known,) = await NgramEmbedder().embed(["wrinkled"])
    for _ in range(2):
        found = await embedder.on_account(Account()).embed(["round"], [Known("wrinkled", (known,))])
        assert (found.degraded.primary, found.degraded.reason) == ("peas", reason)
        assert told in found.degraded.message
        assert "secret" not in found.degraded.message
    assert openings.count == 1

"""A provider's embeddings: the contract, what leaves the machine, what comes back, and what every call costs."""

import asyncio
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.embeddings.wires import LettersWire
from tests.support.rows import check_rows

from mendel.adapters.embeddings.provider import ProviderEmbedder
from mendel.conformance.embedder import EmbedderContract
from mendel.contracts.embeddings import EmbeddingLimits
from mendel.contracts.errors import ModelCallFailed
from mendel.contracts.providers import Price
from mendel.contracts.scrub import Scrubber
from mendel.ports.embedder import Account
from mendel.ports.model_gateway import Budget
from mendel.ports.model_wire import WireFailed, WireUsage
from mendel.ports.observing import CallObserver, Trace

PRICE = Price(input_microusd=1_000_000, output_microusd=0)
KEY = "sk-canary0123456789abcdef"


class Pauses:
    def __init__(self):
        self.waited = []

    async def __call__(self, seconds):
        self.waited.append(seconds)


def embedder_on(wire, **changes):
    limits = EmbeddingLimits(**changes.pop("limits", {}))
    settings = {"sleep": Pauses(), "price": PRICE, **changes}
    return ProviderEmbedder(wire, "acme", "embed-1", wire.dimension, limits=limits, **settings)


class TestProviderEmbedder(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        return lambda: embedder_on(LettersWire())


class TestProviderEmbedderInSmallBatches(EmbedderContract):
    @pytest.fixture
    def open_embedder(self):
        limits = {"texts_per_call": 2, "bytes_per_call": 120, "bytes_per_text": 100}
        return lambda: embedder_on(LettersWire(), limits=limits)


async def test_the_name_has_all_that_moves_a_vector():
    embedder = embedder_on(LettersWire(64))
    assert embedder.name == "provider.1.acme/embed-1.64.8000"
    assert embedder.model_id == "embed-1"
    (vector,) = await embedder.embed(["pea"])
    assert vector.model_id == "embed-1"
    others = [
        embedder_on(LettersWire(32)),
        embedder_on(LettersWire(64), limits={"bytes_per_text": 100}),
        ProviderEmbedder(LettersWire(64), "acme", "embed-2", 64),
        ProviderEmbedder(LettersWire(64), "other", "embed-1", 64),
    ]
    assert len({each.name for each in [embedder, *others]}) == 5


# --- what is sent ---------------------------------------------------------------------------------------------


@given(st.lists(st.text(max_size=300), max_size=20), st.integers(1, 6), st.integers(16, 80))
def test_calls_are_bounded_and_every_text_has_its_vector(texts, most, size):
    wire = LettersWire(16)
    limits = {"texts_per_call": most, "bytes_per_call": 2 * size, "bytes_per_text": size}
    found = asyncio.run(embedder_on(wire, limits=limits).embed(texts))
    assert len(found) == len(texts)
    for call in wire.asked:
        assert 1 <= len(call) <= most
        assert sum(len(text.encode()) for text in call) <= 2 * size
        assert all(text.strip() and len(text.encode()) <= size for text in call)
    sent = [text for call in wire.asked for text in call]
    assert len(set(sent)) == len(sent), "equal texts are sent once"


async def test_what_is_blank_is_not_sent():
    wire = LettersWire()
    blank, space, pea = await embedder_on(wire).embed(["", " \n\t", "pea"])
    assert wire.asked == [["pea"]]
    assert blank.similarity(space) == 1.0
    assert blank.similarity(pea) < 0.5


async def test_nobody_is_asked_about_blanks_alone():
    wire = LettersWire()
    assert len(await embedder_on(wire).embed(["", ""])) == 2
    assert wire.asked == []


async def test_secrets_do_not_leave_even_where_a_text_is_cut_through_one():
    wire = LettersWire()
    embedder = embedder_on(wire, scrubber=Scrubber(["correct horse battery"]), limits={"bytes_per_text": 16})
    await embedder.embed([f"key {KEY} correct horse battery", f"0123456789 {KEY}"])
    sent = " ".join(text for call in wire.asked for text in call)
    assert "canary" not in sent
    assert "sk-c" not in sent
    assert "horse" not in sent


async def test_what_cannot_be_sent_is_replaced():
    wire = LettersWire()
    await embedder_on(wire).embed(["a\0b", "c\ud800d"])
    assert wire.asked == [["a\N{REPLACEMENT CHARACTER}b", "c\N{REPLACEMENT CHARACTER}d"]]


async def test_an_answer_may_be_as_large_as_its_numbers_need():
    wire = LettersWire(3_072)
    await embedder_on(wire).embed([f"text {number}" for number in range(200)])
    for call, limits in zip(wire.asked, wire.limits, strict=True):
        assert limits.answer_bytes >= len(call) * 3_072 * 25
        assert limits.timeout_ms == 60_000


async def test_a_model_of_very_many_numbers_is_asked_for_fewer_texts():
    wire = LettersWire(65_536)
    await embedder_on(wire, limits={"texts_per_call": 2_048}).embed([f"text {number}" for number in range(40)])
    assert max(map(len, wire.asked)) < 40


# --- what comes back ------------------------------------------------------------------------------------------


def without_the_last(rows):
    return rows[:-1]


def one_more(rows):
    return [*rows, rows[0]]


def shorter(rows):
    return [row[:-1] for row in rows]


def ragged(rows):
    return [rows[0][:-1], *rows[1:]]


def zeros(rows):
    return [[0.0] * len(row) for row in rows]


def nan(rows):
    return [[math.nan, *row[1:]] for row in rows]


def infinite(rows):
    return [[math.inf, *row[1:]] for row in rows]


def words(rows):
    return [["many", *row[1:]] for row in rows]


def huge(rows):
    return [[10**400, *row[1:]] for row in rows]


@check_rows("fault", [without_the_last, one_more, shorter, ragged, zeros, nan, infinite, words, huge])
async def test_what_is_no_direction_for_each_text_is_an_error_at_once(fault):
    wire, account = LettersWire(faults=[fault]), Account()
    embedder = embedder_on(wire).on_account(account)
    with pytest.raises(ModelCallFailed, match="acme/embed-1 answered with") as caught:
        await embedder.embed(["secret one", "secret two"])
    assert caught.value.reason == "unreadable"
    assert "secret" not in str(caught.value)
    assert len(wire.asked) == 1
    (record,) = account.records
    assert record.validation == "rejected"
    assert record.provider.tokens_in == 7, "it is paid for all the same"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=8, max_size=8).filter(any))
def test_any_other_row_becomes_a_direction(row):
    wire = LettersWire(8, faults=[lambda _: [row]])
    (vector,) = asyncio.run(embedder_on(wire).embed(["pea"]))
    assert np.linalg.norm(vector.values) == pytest.approx(1.0, abs=1e-5)
    largest = int(np.argmax(np.abs(row)))
    assert math.copysign(1.0, vector.values[largest]) == math.copysign(1.0, row[largest])


async def test_two_models_never_answer_under_one_name():
    wire = LettersWire()
    wire.models = ["embed-1-v1", "embed-1-v1", "embed-1-v2"]
    embedder = embedder_on(wire)
    await embedder.embed(["one"])
    await embedder.on_account(Account()).embed(["two"])
    with pytest.raises(ModelCallFailed, match=r"embed-1-v2.*embed-1-v1"):
        await embedder.embed(["three"])


# --- what goes wrong ------------------------------------------------------------------------------------------


@check_rows("reason", ["rate_limited", "overloaded", "timeout", "connection", "unreadable"])
async def test_what_may_be_otherwise_is_tried_again(reason):
    wire, account, pauses = LettersWire(faults=[WireFailed(reason, "no")] * 2), Account(), Pauses()
    (vector,) = await embedder_on(wire, sleep=pauses).on_account(account).embed(["pea"])
    assert vector.similarity(vector) == pytest.approx(1.0)
    assert [record.failure for record in account.records] == [reason, reason, None]
    assert [record.attempt for record in account.records] == [1, 2, 3]
    assert [record.retry for record in account.records] == [False, True, True]
    assert 0.25 <= pauses.waited[0] <= 0.5
    assert 0.5 <= pauses.waited[1] <= 1.0


async def test_a_wish_to_be_left_alone_is_granted():
    pauses = Pauses()
    wire = LettersWire(faults=[WireFailed("rate_limited", "later", retry_after_s=12.0)])
    await embedder_on(wire, sleep=pauses).embed(["pea"])
    assert pauses.waited == [12.0]


async def test_nobody_waits_for_an_hour():
    wire = LettersWire(faults=[WireFailed("rate_limited", "tomorrow", retry_after_s=3_600.0)])
    with pytest.raises(ModelCallFailed, match="tomorrow"):
        await embedder_on(wire).embed(["pea"])
    assert len(wire.asked) == 1


@check_rows("reason", ["auth", "bad_request", "answer_too_large", "not_configured"])
async def test_what_stays_as_it_is_is_not_tried_again(reason):
    wire = LettersWire(faults=[WireFailed(reason, f"bad key {KEY}", unsent=True)])
    with pytest.raises(ModelCallFailed) as caught:
        await embedder_on(wire).embed(["secret text"])
    assert caught.value.reason == reason
    assert len(wire.asked) == 1
    assert "canary" not in str(caught.value)
    assert "canary" not in caught.value.records[0].model_dump_json()
    assert "secret" not in str(caught.value)


async def test_retries_are_bounded():
    wire = LettersWire(faults=[WireFailed("overloaded", "no")] * 9)
    with pytest.raises(ModelCallFailed) as caught:
        await embedder_on(wire).embed(["pea"])
    assert len(wire.asked) == len(caught.value.records) == 3


# --- what it costs --------------------------------------------------------------------------------------------


async def test_every_call_is_noted_on_its_account_without_the_texts():
    wire, account = LettersWire(), Account(Budget(1_000, 1_000))
    await embedder_on(wire, limits={"texts_per_call": 1}).on_account(account).embed(["secret a", "secret b"])
    assert [record.role for record in account.records] == ["embedding"] * 2
    assert [record.validation for record in account.records] == ["accepted"] * 2
    assert [record.provider.tokens_in for record in account.records] == [7, 7]
    assert [record.provider.cost_microusd for record in account.records] == [7, 7]
    assert (account.budget.tokens, account.budget.cost_microusd) == (986, 986)
    assert "secret" not in "".join(record.model_dump_json() for record in account.records)


@check_rows("told", [None, -1, True, "7", 1.5, 2**60])
async def test_what_is_not_told_counts_at_its_worst(told):
    wire, account = LettersWire(), Account(Budget(1_000, 1_000))
    wire.usage = WireUsage(told, None)
    await embedder_on(wire).on_account(account).embed(["twelve bytes"])
    (record,) = account.records
    assert record.estimated
    assert record.provider.tokens_in == 12
    assert account.budget.tokens == 988


async def test_a_failure_that_nobody_worked_for_costs_nothing():
    faults = [WireFailed("overloaded", "full", unsent=True), WireFailed("timeout", "slow")]
    account = Account(Budget(1_000, 1_000))
    await embedder_on(LettersWire(faults=faults)).on_account(account).embed(["twelve bytes"])
    assert [record.provider.tokens_in for record in account.records] == [0, 12, 7]
    assert account.budget.tokens == 1_000 - 12 - 7


async def test_a_call_that_does_not_fit_the_budget_is_not_made():
    wire, account = LettersWire(), Account(Budget(11, 1_000))
    with pytest.raises(ModelCallFailed) as caught:
        await embedder_on(wire).on_account(account).embed(["twelve bytes"])
    assert caught.value.reason == "over_allowance"
    assert wire.asked == []
    assert account.budget.tokens == 11


async def test_a_call_that_nobody_waited_for_counts_at_its_worst():
    class Hanging(LettersWire):
        async def embed(self, model_id, texts, limits):
            await asyncio.Event().wait()

    account = Account(Budget(1_000, 1_000))
    embedder = embedder_on(Hanging()).on_account(account)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await embedder.embed(["twelve bytes"])
    (record,) = account.records
    assert (record.failure, record.estimated) == ("timeout", True)
    assert account.budget.tokens == 988


async def test_whoever_watches_sees_every_call_end():
    class Watching(CallObserver):
        def __init__(self):
            self.seen = []

        def began(self, role, route, after=None):
            self.seen.append((role, str(route), after))
            return Trace(f"t{len(self.seen)}", f"o{len(self.seen)}")

        def ended(self, trace, record):
            self.seen.append((trace.trace_id, record.trace_id, record.failure))

    watching = Watching()
    await embedder_on(LettersWire(faults=[WireFailed("timeout", "slow")]), observer=watching).embed(["pea"])
    first, failed, second, answered = watching.seen
    assert first == ("embedding", "acme/embed-1", None)
    assert failed == ("t1", "t1", "timeout")
    assert second == ("embedding", "acme/embed-1", Trace("t1", "o1"))
    assert answered == ("t3", "t3", None)


async def test_accounts_of_two_operations_stay_apart():
    wire, one, other = LettersWire(), Account(), Account()
    embedder = embedder_on(wire)
    await asyncio.gather(embedder.on_account(one).embed(["a"]), embedder.on_account(other).embed(["b"]))
    assert (len(one.records), len(other.records)) == (1, 1)
    await embedder.aclose()
    assert wire.closed == 1


@check_rows("dimension", [0, -1, 65_537])
def test_a_dimension_is_from_1_to_65536(dimension):
    with pytest.raises(ValueError, match="dimension"):
        ProviderEmbedder(LettersWire(), "acme", "embed-1", dimension)

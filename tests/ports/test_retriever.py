"""The port's door: what it lets in and out, and that nothing an implementation does gets past it."""

import asyncio
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from tests.support.rows import check_rows

from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.conformance.retriever import PASSAGES, PEAS
from mendel.ports.registry import GROUPS
from mendel.ports.retriever import GROUP, RetrievalFailed, Retriever, RetrieverContext

ROOT = Path(__file__).parents[2]
SHIPPED = {
    "curated": "mendel.adapters.research.curated:open_curated",
    "web": "mendel.adapters.research.web:open_web",
}


class Doing(Retriever):
    """Does whatever it is told to."""

    name = "doing"
    fallback = None

    def __init__(self, does, fallback=None):
        self.does = does
        self.fallback = fallback
        self.asked = []

    async def _retrieve(self, query, limit):
        self.asked.append((query, limit))
        if isinstance(self.does, BaseException):
            raise self.does
        return self.does


@check_rows(
    ("does", "failure"),
    [
        (RetrievalFailed("rate_limited", "later"), "rate_limited"),
        (ValueError("secret text"), "broken"),
        (RecursionError("x"), "broken"),
        (TimeoutError(), "timeout"),
        (None, "broken"),
        (["not a passage"], "broken"),
        ([PEAS, {"title": "x"}], "broken"),
        (5, "broken"),
    ],
)
async def test_it_never_raises_and_the_fallback_answers(does, failure):
    answer = await Doing(does, MemoryRetriever(PASSAGES)).retrieve("garden peas", 1)
    assert (answer.passages, answer.fallback_sourced, answer.failure) == ((PEAS,), True, failure)
    assert answer.provider == "memory"
    alone = await Doing(does).retrieve("garden peas", 1)
    assert (alone.passages, alone.fallback_sourced, alone.failure, alone.provider) == ((), False, failure, "doing")


async def test_a_failing_fallback_is_no_failure_either():
    answer = await Doing(ValueError(), Doing(ValueError())).retrieve("peas")
    assert (answer.passages, answer.fallback_sourced, answer.failure) == ((), True, "broken")


async def test_who_is_cancelled_stops():
    task = asyncio.ensure_future(Doing(asyncio.CancelledError(), MemoryRetriever(PASSAGES)).retrieve("peas"))
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_too_many_passages_are_cut():
    assert len((await Doing([PEAS] * 80).retrieve("peas", 3)).passages) == 3
    assert len((await Doing([PEAS] * 80).retrieve("peas", 1_000)).passages) == 50


async def test_nobody_is_asked_about_nothing():
    retriever = Doing([PEAS])
    for query, limit in (("", 5), ("\0 \n", 5), ("peas", 0), ("peas", -3)):
        assert (await retriever.retrieve(query, limit)).passages == ()
    assert retriever.asked == []
    await retriever.retrieve("  green\n\npeas\t", 2)
    assert retriever.asked == [("green peas", 2)]


def test_the_shipped_ones_are_plug_ins():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"].get(GROUP, {})
    assert GROUP in GROUPS
    for name, value in {**SHIPPED, **declared}.items():
        opened = EntryPoint(name, value, GROUP).load()(RetrieverContext())
        assert isinstance(opened, Retriever)


def test_a_context_shows_no_environment():
    assert "canary" not in repr(RetrieverContext(environ={"KEY": "canary"}))

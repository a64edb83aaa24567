"""A retriever that finds no more than its operator wants."""

import pytest
from tests.support.rows import check_rows

from mendel.adapters.memory.retriever import MemoryRetriever
from mendel.adapters.research.at_most import AtMost
from mendel.conformance.retriever import PASSAGES, RetrieverContract
from mendel.contracts.retrieval import MAX_PASSAGES


class TestAtMost(RetrieverContract):
    @pytest.fixture
    def open_retriever(self):
        return lambda passages: AtMost(MemoryRetriever(passages), MAX_PASSAGES)


@check_rows(("wanted", "found"), [(0, 0), (1, 1), (2, 1)])
async def test_what_is_wanted_is_bounded_and_recorded_so(wanted, found):
    async with AtMost(MemoryRetriever(PASSAGES), 1) as retriever:
        answered = await retriever.retrieve("garden", wanted)
    assert (len(answered.passages), answered.limit) == (found, found)

"""Group commit: in order, as many at once as gathered, and nobody is left waiting."""

import asyncio

import pytest
from tests.ports.runs import a_chain

from mendel.contracts.errors import DuplicateEventId, SequenceConflict, StorageError
from mendel.ports import commit_lane
from mendel.ports.commit_lane import CommitLane


class Store:
    """A store that commits when it is let, refuses what it is told to, and remembers how it was asked."""

    def __init__(self):
        self.open = asyncio.Event()
        self.open.set()
        self.groups = []
        self.stored = []
        self.refuse = {}

    async def commit(self, records):
        await self.open.wait()
        self.groups.append([record.sequence for record in records])
        for record in records:
            if record.sequence in self.refuse:
                raise self.refuse[record.sequence]
        self.stored += [record.sequence for record in records]


@pytest.fixture
def store():
    return Store()


@pytest.fixture
def lane(store):
    return CommitLane(store.commit)


RECORDS = a_chain(30)


async def outcomes(futures):
    async with asyncio.timeout(30):
        return await asyncio.gather(*futures, return_exceptions=True)


async def gathered(lane, store, sizes):
    """Submit batches of ``sizes`` while the first is being committed."""
    store.open.clear()
    futures, start = [], 0
    for size in sizes:
        futures.append(lane.submit(RECORDS[start : start + size]))
        start += size
        if len(futures) == 1:
            await asyncio.sleep(0)
    store.open.set()
    return futures


async def test_batches_that_gather_during_a_commit_go_out_as_one(lane, store):
    assert await outcomes(await gathered(lane, store, [1, 2, 3, 1])) == [None] * 4
    assert store.groups == [[0], [1, 2, 3, 4, 5, 6]]
    assert store.stored == list(range(7))


async def test_order_is_kept_over_many_rounds(lane, store):
    futures = []
    for record in RECORDS:
        futures.append(lane.submit([record]))
        if record.sequence % 7 == 0:
            await asyncio.sleep(0)
    assert await outcomes(futures) == [None] * 30
    assert store.stored == list(range(30))


async def test_an_answer_comes_only_after_the_commit(lane, store):
    store.open.clear()
    future = lane.submit(RECORDS[:1])
    for _ in range(10):
        await asyncio.sleep(0)
    assert not future.done()
    store.open.set()
    await future
    assert store.stored == [0]


@pytest.mark.parametrize(("limit", "value"), [("MAX_GROUP_RECORDS", 4), ("MAX_GROUP_BYTES", 1)])
async def test_a_group_is_bounded(lane, store, monkeypatch, limit, value):
    monkeypatch.setattr(commit_lane, limit, value)
    assert await outcomes(await gathered(lane, store, [1, 2, 2, 2, 2])) == [None] * 5
    assert store.stored == list(range(9))
    assert max(map(len, store.groups)) <= 4
    assert len(store.groups) >= 3


async def test_a_batch_is_never_split(lane, store, monkeypatch):
    monkeypatch.setattr(commit_lane, "MAX_GROUP_RECORDS", 2)
    assert await outcomes(await gathered(lane, store, [1, 10, 1])) == [None] * 3
    assert list(range(1, 11)) in store.groups


@pytest.mark.parametrize("error", [StorageError("full"), SequenceConflict("no"), ValueError("a bug"), KeyError("k")])
async def test_a_failure_takes_those_behind_it_along(lane, store, error):
    store.refuse = {1: error}
    first, *rest = await outcomes(await gathered(lane, store, [1, 1, 1, 1]))
    assert first is None
    assert rest == [error] * 3
    assert lane.broken
    assert store.stored == [0]
    (after,) = await outcomes([lane.submit(RECORDS[9:10])])
    assert isinstance(after, SequenceConflict)
    assert store.stored == [0]


async def test_batches_that_wait_behind_a_failed_group_are_refused_too(lane, store, monkeypatch):
    monkeypatch.setattr(commit_lane, "MAX_GROUP_RECORDS", 1)
    store.refuse = {1: StorageError("full")}
    results = await outcomes(await gathered(lane, store, [1, 1, 1, 1]))
    assert [type(result) for result in results] == [type(None), StorageError, StorageError, StorageError]
    assert store.groups == [[0], [1]], "nothing behind a failure is even tried"


async def test_a_repeated_id_is_refused_alone_of_those_before_it(lane, store):
    store.refuse = {3: DuplicateEventId("again")}
    results = await outcomes(await gathered(lane, store, [1, 2, 1, 1, 1]))
    assert results[:2] == [None, None]
    assert isinstance(results[2], DuplicateEventId)
    assert [type(result) for result in results[3:]] == [SequenceConflict] * 2
    assert store.stored == [0, 1, 2]


async def test_a_repeated_id_that_comes_alone_is_asked_for_once(lane, store):
    store.refuse = {0: DuplicateEventId("again")}
    (result,) = await outcomes([lane.submit(RECORDS[:1])])
    assert isinstance(result, DuplicateEventId)
    assert store.groups == [[0]]


async def test_a_waiter_that_goes_away_changes_nothing(lane, store):
    futures = await gathered(lane, store, [1, 1, 1])
    futures[1].cancel()
    results = await outcomes(futures)
    assert isinstance(results[1], asyncio.CancelledError)
    assert [results[0], results[2]] == [None, None]
    assert store.stored == [0, 1, 2], "what was chained is written, or all behind it would hang in the air"


async def test_a_waiter_that_goes_away_before_a_failure_does_not_hide_it(lane, store):
    store.refuse = {1: StorageError("full")}
    futures = await gathered(lane, store, [1, 1, 1])
    futures[1].cancel()
    results = await outcomes(futures)
    assert isinstance(results[2], StorageError)
    assert lane.broken


async def test_when_the_committing_task_is_cancelled_nobody_waits_for_ever(lane, store):
    store.open.clear()
    futures = [lane.submit(RECORDS[:1]), lane.submit(RECORDS[1:2])]
    await asyncio.sleep(0)
    lane._drainer.cancel()
    results = await outcomes(futures)
    assert all(isinstance(result, asyncio.CancelledError) for result in results)
    assert lane.broken


async def test_idle_waits_for_all_that_is_in_flight(lane, store):
    await lane.idle()
    futures = await gathered(lane, store, [1, 1, 1])
    await lane.idle()
    assert all(future.done() for future in futures)
    assert store.stored == [0, 1, 2]
    await outcomes(futures)

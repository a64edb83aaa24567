"""One feed for all who watch: nothing lost, nothing twice, and nobody held up by a slow one."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import orjson
import pytest
from tests.kernel.scripted import ScriptedDomain, Stage, config_of
from tests.support.rows import check_rows

from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api import feeds
from mendel.api.feeds import Feed
from mendel.api.projecting import Projector
from mendel.contracts.errors import DatabaseUnavailable
from mendel.contracts.read_models import TABLES, Change
from mendel.ports.read_models import Step

CONFIG = {"caps": {"max_generations": 3}}


async def staged() -> Stage:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of(**CONFIG))
    return stage


def parsed(chunks: bytes):
    """The frames of a stream: (id, kind, data)."""
    found = []
    for block in chunks.decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if fields:
            found.append((int(fields.get("id", -1)), fields["event"], orjson.loads(fields["data"])))
    return found


async def watched(feed: Feed, form: str = "events", after: int = -1):
    """Everything until the feed ends."""
    seen = b""
    async with asyncio.timeout(30), aclosing(feed.watch(form, after)) as chunks:
        async for chunk in chunks:
            seen += chunk
    return parsed(seen)


async def rows_from(frames):
    """What somebody has who applied every change."""
    models = MemoryReadModels()
    run_id = ""
    for sequence, kind, data in frames:
        if kind == "changes":
            changes = [Change(*change) for change in data["changes"]]
            run_id = next((key for table, key, _ in changes if table == "runs"), run_id)
            await models.store(run_id, [Step(sequence, changes)])
    return {name: list(await models.rows(run_id, name)) for name in TABLES}


async def projected(stage: Stage):
    models = MemoryReadModels()
    await Projector(stage.log, models, stage.run_id).catch_up()
    return {name: list(await models.rows(stage.run_id, name)) for name in TABLES}


@pytest.mark.parametrize("watchers", [1, 7])
async def test_who_watches_a_run_sees_each_event_once_and_in_order(watchers):
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    watching = [asyncio.create_task(watched(feed)) for _ in range(watchers)]
    await asyncio.sleep(0)
    await stage.conduct()
    expected = await stage.events()
    for frames in await asyncio.gather(*watching):
        *told, end = frames
        assert [sequence for sequence, _, _ in told] == [event.sequence for event in expected]
        assert [data["hash"] for _, _, data in told] == [event.hash for event in expected]
        assert end == (expected[-1].sequence, "end", {"sequence": expected[-1].sequence})
    await feed.aclose()


async def test_changes_make_the_same_rows_as_the_log():
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    first = (await stage.log.tip(stage.run_id)).next
    watching = asyncio.create_task(watched(feed, "changes", first - 1))
    while not feed.watchers:
        await asyncio.sleep(0)
    await stage.conduct()
    frames = await watching
    await feed.aclose()
    assert frames[0][:2] == (first, "changes")
    whole = await projected(stage)
    told = await rows_from(frames)
    for name in TABLES:
        known = {row.key: row for row in told[name]}
        late = [row for row in whole[name] if row.first >= first]
        assert [known[row.key] for row in late] == late


async def test_what_comes_between_a_request_and_its_first_frame_is_in_memory(monkeypatch):
    stage = await staged()
    feed = await Feed(stage.log, MemoryReadModels(), stage.run_id).begun()
    first = (await stage.log.tip(stage.run_id)).next
    await stage.conduct()
    last = (await stage.events())[-1].sequence
    async with asyncio.timeout(30):
        while feed._next <= last:
            await asyncio.sleep(0.01)
    monkeypatch.setattr(stage.log, "read", None)
    assert [sequence for sequence, _, _ in await watched(feed, after=first - 1)] == [*range(first, last + 1), last]
    await feed.aclose()


@check_rows("broken_at", [0, 3, 20])
async def test_who_comes_back_goes_on_where_they_were(broken_at):
    stage = await staged()
    await stage.conduct()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    whole = await watched(feed)
    assert await watched(feed, after=broken_at) == whole[broken_at + 1 :]


async def test_one_who_is_too_slow_reads_the_log_and_misses_nothing():
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id, kept=4)
    async with aclosing(feed.watch("events", -1)) as slow:
        seen = await anext(slow)
        await stage.conduct()
        last = (await stage.events())[-1].sequence
        async with asyncio.timeout(30):
            while feed._next <= last:
                await asyncio.sleep(0.01)
            async for chunk in slow:
                seen += chunk
    assert [sequence for sequence, kind, _ in parsed(seen) if kind == "event"] == list(range(last + 1))
    await feed.aclose()


async def test_changes_that_are_not_kept_are_loaded_anew():
    stage = await staged()
    await stage.conduct()
    last = (await stage.events())[-1].sequence
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    assert await watched(feed, "changes") == [(-1, "reset", {"sequence": last})]
    assert await watched(feed, "changes", last) == [(last, "end", {"sequence": last})]


async def test_rows_are_as_fresh_as_the_log_while_somebody_watches():
    stage, models = await staged(), MemoryReadModels()
    feed = Feed(stage.log, models, stage.run_id)
    async with aclosing(feed.watch("events", -1)) as watching:
        await anext(watching)
        assert not feed.idle
        await stage.interrupt_after(9)
        tip = (await stage.log.tip(stage.run_id)).next - 1
        assert await feed.fresh() == tip
        assert (await models.row(stage.run_id, "runs", stage.run_id)).last == tip
    await feed.aclose()


async def test_after_a_while_without_watchers_nothing_is_followed(monkeypatch):
    monkeypatch.setattr(feeds, "LINGER_S", 0.0)
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    async with aclosing(feed.watch("events", -1)) as watching:
        await anext(watching)
    async with asyncio.timeout(60):
        while not feed.idle:
            await asyncio.sleep(0.01)
    following = asyncio.create_task(watched(feed))
    await asyncio.sleep(0)
    await stage.conduct()
    assert [sequence for sequence, kind, _ in await following if kind == "event"] == list(
        range((await stage.events())[-1].sequence + 1)
    )
    await feed.aclose()


@pytest.mark.parametrize("ahead", [0, 9_999])
async def test_a_heartbeat_comes_while_nothing_happens(monkeypatch, ahead):
    monkeypatch.setattr(feeds, "HEARTBEAT_S", 0.01)
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    last = (await stage.log.tip(stage.run_id)).next - 1 + ahead
    async with asyncio.timeout(60), aclosing(feed.watch("events", last)) as watching:
        assert (await anext(watching)).startswith(b":")
    await feed.aclose()


async def test_a_feed_that_is_closed_lets_its_watchers_go():
    stage = await staged()
    feed = Feed(stage.log, MemoryReadModels(), stage.run_id)
    async with asyncio.timeout(30), aclosing(feed.watch("events", -1)) as watching:
        seen = await anext(watching)
        await feed.aclose()
        async for chunk in watching:
            seen += chunk
    assert [kind for _, kind, _ in parsed(seen)] == ["event"]


class Away(MemoryReadModels):
    """A database that is away for the first few times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def store(self, run_id: str, steps) -> None:
        self.times -= 1
        if self.times >= 0:
            raise DatabaseUnavailable("not now")
        await super().store(run_id, steps)


async def test_one_who_could_not_begin_to_watch_is_not_counted_as_watching():
    stage = await staged()
    feed = Feed(stage.log, Away(1), stage.run_id)
    with pytest.raises(DatabaseUnavailable):
        await watched(feed)
    assert feed.watchers == 0
    assert feed.idle
    await feed.aclose()


async def test_an_outage_of_the_rows_loses_and_doubles_nothing(monkeypatch):
    monkeypatch.setattr(feeds, "_AGAIN_S", 0.01)
    stage, models = await staged(), Away(0)
    first = (await stage.events())[-1].sequence
    feed = Feed(stage.log, models, stage.run_id)
    watching = asyncio.create_task(watched(feed))
    async with asyncio.timeout(30):
        while feed._next <= first:
            await asyncio.sleep(0.01)
    models.times = 3
    await stage.conduct()
    frames = await watching
    last = (await stage.events())[-1].sequence
    assert [sequence for sequence, kind, _ in frames if kind == "event"] == list(range(last + 1))
    assert await feed.fresh() == last
    found = {name: list(await models.rows(stage.run_id, name)) for name in TABLES}
    assert found == await projected(stage)
    await feed.aclose()

"""From a log to read models and back to nothing: incremental, rebuilt the same, and taken up after every failure."""

from __future__ import annotations

import asyncio

import pytest
from tests.kernel.scripted import ScriptedDomain, Stage, config_of

from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.api import projecting
from mendel.api.projecting import Projector
from mendel.contracts.errors import StorageError
from mendel.contracts.ids import new_run_id
from mendel.contracts.read_models import TABLES
from mendel.ports.read_models import NOTHING

CONFIG = {"caps": {"max_generations": 4}}


async def conducted(**options) -> Stage:
    stage = Stage(ScriptedDomain())
    await stage.configure(config_of(**CONFIG, **options))
    await stage.conduct()
    return stage


async def rows_of(models, run_id):
    return {name: list(await models.rows(run_id, name)) for name in TABLES}


async def projected(stage: Stage):
    models = MemoryReadModels()
    await Projector(stage.log, models, stage.run_id).catch_up()
    return models, await rows_of(models, stage.run_id)


@pytest.mark.parametrize("at_once", [1, 7, 500])
async def test_however_many_are_stored_together_the_rows_are_the_same(monkeypatch, at_once):
    stage = await conducted()
    _, whole = await projected(stage)
    monkeypatch.setattr(projecting, "AT_ONCE", at_once)
    models, rows = await projected(stage)
    assert rows == whole
    assert rows["candidates"]
    assert set((await models.watermarks(stage.run_id)).values()) == {(await stage.events())[-1].sequence}


async def test_one_that_was_dropped_is_rebuilt_as_it_was():
    stage = await conducted()
    models, before = await projected(stage)
    await models.drop(stage.run_id)
    await Projector(stage.log, models, stage.run_id).catch_up()
    assert await rows_of(models, stage.run_id) == before


async def test_another_goes_on_from_what_one_has_left():
    stage, models = Stage(ScriptedDomain()), MemoryReadModels()
    await stage.configure(config_of(**CONFIG))
    while await stage.interrupt_after(13) is None:
        await Projector(stage.log, models, stage.run_id).catch_up()
    await Projector(stage.log, models, stage.run_id).catch_up()
    _, whole = await projected(stage)
    assert await rows_of(models, stage.run_id) == whole


async def test_it_follows_a_run_while_that_goes_on():
    stage, models = Stage(ScriptedDomain()), MemoryReadModels()
    await stage.configure(config_of(**CONFIG))
    following = asyncio.create_task(Projector(stage.log, models, stage.run_id).follow())
    await stage.conduct()
    last = (await stage.events())[-1].sequence
    async with asyncio.timeout(20):
        while (await models.watermarks(stage.run_id))["runs"] < last:
            await asyncio.sleep(0.01)
    following.cancel()
    await asyncio.wait((following,))
    _, whole = await projected(stage)
    assert await rows_of(models, stage.run_id) == whole


class Failing(MemoryReadModels):
    """Refuses every other time."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    async def store(self, run_id, steps):
        self.asked += 1
        if self.asked % 2:
            raise StorageError("no room")
        await super().store(run_id, steps)


async def test_what_could_not_be_stored_is_read_again(monkeypatch):
    monkeypatch.setattr(projecting, "AT_ONCE", 10)
    stage, models = await conducted(), Failing()
    projector = Projector(stage.log, models, stage.run_id)
    last = (await stage.events())[-1].sequence
    while (await models.watermarks(stage.run_id))["runs"] < last:
        try:
            await projector.catch_up()
        except StorageError:
            continue
    _, whole = await projected(stage)
    assert await rows_of(models, stage.run_id) == whole


class Torn(MemoryReadModels):
    """One of its tables is behind the others, as after somebody's own repair."""

    torn = True

    async def watermarks(self, run_id):
        marks = dict(await super().watermarks(run_id))
        return {**marks, "runs": NOTHING} if self.torn else marks

    async def drop(self, run_id):
        self.torn = False
        await super().drop(run_id)


async def test_tables_that_do_not_agree_are_made_anew():
    stage = await conducted()
    _, whole = await projected(stage)
    models = Torn()
    models.torn = False
    await Projector(stage.log, models, stage.run_id).catch_up()
    models.torn = True
    await Projector(stage.log, models, stage.run_id).catch_up()
    assert not models.torn
    assert await rows_of(models, stage.run_id) == whole


async def test_of_a_run_that_is_not_there_nothing_is_known():
    models, stranger = MemoryReadModels(), new_run_id()
    assert await Projector(Stage(ScriptedDomain()).log, models, stranger).catch_up() == NOTHING
    assert not await models.runs()

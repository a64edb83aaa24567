"""Read models beside a real log: the rows that memory has, made by somebody who cannot write the log."""

from __future__ import annotations

import psycopg
import pytest
import pytest_asyncio
from tests.kernel.scripted import ScriptedDomain, Stage, config_of

from mendel.adapters.memory.checkpoints import MemoryCheckpoints
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.adapters.postgres import read_models
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.adapters.postgres.read_models import PostgresReadModels
from mendel.api.projecting import Projector
from mendel.contracts.read_models import TABLES
from mendel.ports.read_models import NOTHING


@pytest.fixture
def projector_dsn(server, fresh_database):
    return server.conninfo(user="mendel_projector", dbname=fresh_database)


@pytest_asyncio.fixture
async def models(projector_dsn):
    async with PostgresReadModels.beside(projector_dsn) as models:
        yield models


@pytest_asyncio.fixture
async def stage(runtime_dsn):
    stage = Stage(ScriptedDomain())
    async with PostgresEventLog(Database(runtime_dsn), checkpoints=MemoryCheckpoints()) as log:
        stage.log = log
        await stage.configure(config_of(caps={"max_generations": 3}))
        await stage.conduct()
        yield stage


async def rows_of(models, run_id):
    return {name: list(await models.rows(run_id, name)) for name in TABLES}


async def test_the_rows_are_those_of_memory_and_come_again_after_a_drop(stage, models):
    memory = MemoryReadModels()
    for each in (memory, models):
        await Projector(stage.log, each, stage.run_id).catch_up()
    rows = await rows_of(models, stage.run_id)
    assert rows == await rows_of(memory, stage.run_id)
    assert await models.runs() == await memory.runs()
    await models.drop(stage.run_id)
    await Projector(stage.log, models, stage.run_id).catch_up()
    assert await rows_of(models, stage.run_id) == rows


async def test_rows_of_another_version_are_made_anew(monkeypatch, stage, models):
    await Projector(stage.log, models, stage.run_id).catch_up()
    rows = await rows_of(models, stage.run_id)
    monkeypatch.setattr(read_models, "VERSION", read_models.VERSION + 1)
    assert set((await models.watermarks(stage.run_id)).values()) == {NOTHING}
    assert not await models.runs()
    await Projector(stage.log, models, stage.run_id).catch_up()
    assert await rows_of(models, stage.run_id) == rows


async def test_whoever_makes_them_cannot_write_the_log(stage, models, projector_dsn):
    await Projector(stage.log, models, stage.run_id).catch_up()
    with psycopg.connect(projector_dsn) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("INSERT INTO mendel.blobs (hash, data) VALUES ('sha256:0', '')")
    assert (await stage.log.tip(stage.run_id)).next == len(await stage.events())

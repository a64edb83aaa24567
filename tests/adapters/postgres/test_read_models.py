"""Read models beside a real log: the rows that memory has, made by somebody who cannot write the log."""

from __future__ import annotations

import asyncio

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
from mendel.adapters.postgres.roles import PROJECTOR_ROLE
from mendel.api.projecting import Projector
from mendel.contracts.errors import DatabaseUnavailable
from mendel.contracts.ids import new_run_id
from mendel.contracts.read_models import TABLES, Change, Row
from mendel.ports.read_models import NOTHING, Step


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
    monkeypatch.setattr(read_models, "ROWS_VERSION", read_models.ROWS_VERSION + 1)
    assert set((await models.watermarks(stage.run_id)).values()) == {NOTHING}
    assert not await models.runs()
    await Projector(stage.log, models, stage.run_id).catch_up()
    assert await rows_of(models, stage.run_id) == rows


async def test_whoever_makes_them_cannot_write_the_log(stage, models, projector_dsn):
    await Projector(stage.log, models, stage.run_id).catch_up()
    with psycopg.connect(projector_dsn) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("INSERT INTO mendel.blobs (hash, data) VALUES ('sha256:0', '')")
    assert (await stage.log.tip(stage.run_id)).next == len(await stage.events())


async def test_a_kept_connection_that_died_is_replaced(server, fresh_database, models):
    run = new_run_id()
    await models.store(run, [Step(0, [Change("runs", run, {"events": 1})])])
    with psycopg.connect(server.conninfo(dbname=fresh_database), autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s AND datname = %s",
            (PROJECTOR_ROLE, fresh_database),
        )
    await models.store(run, [Step(1, [Change("runs", run, {"events": 2})])])
    assert await models.row(run, "runs", run) == Row(run, 0, 1, {"events": 2})


async def test_whoever_waits_for_a_connection_does_not_suffer_for_those_that_died_meanwhile(server, fresh_database):
    database = Database(server.conninfo(user=PROJECTOR_ROLE, dbname=fresh_database), role=PROJECTOR_ROLE)
    holding, let_go = asyncio.Semaphore(0), asyncio.Event()

    async def hold(conn):
        holding.release()
        await let_go.wait()
        return conn.info.backend_pid

    held = [asyncio.create_task(database.work(hold)) for _ in range(8)]
    async with asyncio.timeout(30):
        for _ in held:
            await holding.acquire()
    waiting = asyncio.create_task(database.fetch("SELECT 1"))
    await asyncio.sleep(0)
    with psycopg.connect(server.conninfo(dbname=fresh_database), autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = %s AND datname = %s",
            (PROJECTOR_ROLE, fresh_database),
        )
    let_go.set()
    assert await waiting == [(1,)]
    await asyncio.gather(*held)
    await database.close()


async def test_a_server_that_is_away_is_told_as_that(server, fresh_database):
    async with PostgresReadModels.beside(server.conninfo(user="mendel_projector", dbname="nowhere")) as models:
        with pytest.raises(DatabaseUnavailable):
            await models.store(new_run_id(), [Step(0, [])])


async def test_rows_are_read_whole_however_many_there_are_at_once(monkeypatch, models):
    monkeypatch.setattr(read_models, "_AT_ONCE", 7)
    run = new_run_id()
    await models.store(run, [Step(n, [Change("genomes", f"{n}-{m}", {}) for m in range(5)]) for n in range(9)])
    whole = [f"{n}-{m}" for n in range(9) for m in range(5)]
    assert [row.key for row in await models.rows(run, "genomes")] == whole
    assert [row.key for row in await models.rows(run, "genomes", after=3)] == whole[20:]
    assert [row.key for row in await models.rows(run, "genomes", limit=17)] == whole[:17]


async def test_many_who_ask_at_once_share_a_few_connections(server, fresh_database, models):
    asked = [models.row(new_run_id(), "runs", "nobody") for _ in range(200)]
    assert not any(await asyncio.gather(*asked))
    with psycopg.connect(server.conninfo(dbname=fresh_database)) as conn:
        sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s AND datname = %s"
        found = conn.execute(sessions, (PROJECTOR_ROLE, fresh_database)).fetchone()
    assert 1 <= found[0] <= 8

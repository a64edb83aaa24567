"""What only the PostgreSQL log can get wrong: rights, triggers, tampering, outages, other processes."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import aclosing

import psycopg
import pytest
import pytest_asyncio
import structlog
from alembic.config import Config
from alembic.script import ScriptDirectory

from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres import event_log, schema
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.conformance import samples
from mendel.contracts.errors import DatabaseNotReady, DatabaseUnavailable, LogIntegrityError, WriterFenced
from mendel.ports.verification import verify


def make_log(dsn, folder, **options):
    options.setdefault("payloads", samples.sample_payloads())
    return PostgresEventLog(Database(dsn), checkpoints=FileCheckpoints(folder), **options)


@pytest_asyncio.fixture
async def log(runtime_dsn, checkpoint_folder):
    async with make_log(runtime_dsn, checkpoint_folder) as log:
        yield log


@pytest.fixture
def runtime(runtime_dsn):
    with psycopg.connect(runtime_dsn, autocommit=True) as conn:
        yield conn


@pytest.fixture
def owner(owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as conn:
        yield conn


def tamper(owner, statement, *parameters):
    """What an owner can do on purpose: switch the trigger off."""
    tables = ("run_events", "blobs")
    for table in tables:
        owner.execute(f"ALTER TABLE mendel.{table} DISABLE TRIGGER append_only")
    done = owner.execute(statement, parameters).rowcount
    for table in tables:
        owner.execute(f"ALTER TABLE mendel.{table} ENABLE ALWAYS TRIGGER append_only")
    return done


class TestRule2TheLogIsAppendOnly:
    TABLES = ("run_events", "run_commands", "blobs")
    CHANGES = (
        "UPDATE mendel.{} SET {} = {}",
        "DELETE FROM mendel.{}",
        "TRUNCATE mendel.{}",
        "WITH gone AS (DELETE FROM mendel.{} RETURNING 1) SELECT count(*) FROM gone",
        "MERGE INTO mendel.{} AS t USING (SELECT 1) AS s ON true WHEN MATCHED THEN DELETE",
    )
    COLUMN = {"run_events": "actor", "run_commands": "actor", "blobs": "hash"}

    @pytest.mark.parametrize("table", TABLES)
    @pytest.mark.parametrize("change", CHANGES)
    def test_the_runtime_has_no_right_to_change(self, runtime, table, change):
        column = self.COLUMN[table]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            runtime.execute(change.format(table, column, column))

    @pytest.mark.parametrize("table", TABLES)
    @pytest.mark.parametrize("change", CHANGES)
    @pytest.mark.parametrize("replica", [False, True], ids=["plain", "as-replica"])
    def test_the_trigger_refuses_the_owner_and_even_a_replica(self, server, fresh_database, table, change, replica):
        with psycopg.connect(server.conninfo(dbname=fresh_database), autocommit=True) as admin:
            if replica:
                admin.execute("SET session_replication_role = replica")
            admin.execute("SET ROLE mendel_owner")
            with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
                admin.execute(change.format(table, self.COLUMN[table], self.COLUMN[table]))

    def test_an_upsert_is_a_change(self, owner):
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState, match="append-only"):
            owner.execute(
                "INSERT INTO mendel.blobs (hash, data) VALUES ('sha256:x', '')"
                " ON CONFLICT (hash) DO UPDATE SET data = ''"
            )

    def test_the_runtime_owns_nothing_and_is_nobody(self, runtime):
        owned = runtime.execute(
            "SELECT count(*) FROM pg_class WHERE relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)"
        ).fetchone()
        role = runtime.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles"
            " WHERE rolname = current_user"
        ).fetchone()
        assert owned == (0,)
        assert role == (False,) * 5

    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER TABLE mendel.run_events DISABLE TRIGGER ALL",
            "DROP TABLE mendel.run_events",
            "DROP TRIGGER append_only ON mendel.run_events",
            "SET session_replication_role = replica",
            "SET ROLE mendel_owner",
            "CREATE TABLE mendel.mine (x int)",
            "CREATE OR REPLACE FUNCTION mendel.refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'",
            "CREATE TABLE mendel_projections.mine (x int)",
        ],
    )
    def test_the_runtime_cannot_get_around_it(self, runtime, statement):
        with pytest.raises(psycopg.Error):
            runtime.execute(statement)

    def test_projections_have_a_role_that_cannot_write_the_log(self, server, fresh_database):
        dsn = server.conninfo(user="mendel_projector", dbname=fresh_database)
        with psycopg.connect(dsn, autocommit=True) as conn:
            conn.execute("CREATE TABLE mendel_projections.anything (x int)")
            conn.execute("SELECT count(*) FROM mendel.run_events")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                conn.execute("INSERT INTO mendel.blobs (hash, data) VALUES ('sha256:x', '')")

    async def test_no_rival_can_leave_a_gap_with_plain_inserts_unnoticed(self, log, runtime):
        run_id = await samples.new_run(log, samples.findings(2))
        runtime.execute(
            "INSERT INTO mendel.run_events SELECT run_id, 9, gen_random_uuid(), type, schema_version, occurred_at,"
            " actor, generation_id, genome_id, candidate_id, operation_id, correlation_id, trace_id, observation_id,"
            " payload,"
            " prev_hash, hash FROM mendel.run_events WHERE run_id = %s AND sequence = 2",
            (run_id,),
        )
        with pytest.raises(LogIntegrityError, match="gap at sequence 3"):
            [event async for event in log.read(run_id)]


class TestTampering:
    COLUMNS = {
        "event_id": "gen_random_uuid()",
        "type": "'run.started'",
        "schema_version": "0",
        "occurred_at": "occurred_at + interval '1 microsecond'",
        "actor": "'gate'",
        "generation_id": "'generation-1'",
        "genome_id": "'genome-1'",
        "candidate_id": "NULL",
        "operation_id": "NULL",
        "correlation_id": "'x'",
        "trace_id": "'x'",
        "observation_id": "'x'",
        "payload": "overlay(payload PLACING 'X' FROM 20)",
        "prev_hash": "set_byte(prev_hash, 0, get_byte(prev_hash, 0) # 1)",
        "hash": "set_byte(hash, 31, get_byte(hash, 31) # 1)",
    }

    @pytest.mark.parametrize("column", COLUMNS)
    async def test_one_changed_column_of_one_row_is_named(self, log, owner, column):
        run_id = await samples.new_run(log, samples.findings(9))
        changed = tamper(
            owner,
            f"UPDATE mendel.run_events SET {column} = {self.COLUMNS[column]} WHERE run_id = %s AND sequence = 5",
            run_id,
        )
        assert changed == 1
        report = await verify(log, run_id)
        assert report.problem is not None
        assert report.problem.sequence == 5
        assert report.problem.reason in {"altered", "chain_broken"}
        with pytest.raises(LogIntegrityError, match="at sequence 5"):
            [event async for event in log.read(run_id)]

    @pytest.mark.parametrize(
        ("condition", "reason", "sequence"),
        [
            ("sequence = 4", "gap", 4),
            ("sequence = 0", "gap", 0),
            ("sequence = 9", "tail_cut", 9),
            ("sequence > 2", "tail_cut", 3),
            ("true", "tail_cut", 0),
        ],
    )
    async def test_removed_rows_are_named(self, log, owner, condition, reason, sequence):
        run_id = await samples.new_run(log, samples.findings(9))
        tamper(owner, f"DELETE FROM mendel.run_events WHERE run_id = %s AND {condition}", run_id)
        report = await verify(log, run_id)
        assert report.problem is not None
        assert (report.problem.reason, report.problem.sequence) == (reason, sequence)

    async def test_a_consistently_rewritten_tail_is_caught_by_the_checkpoint(self, log, owner, runtime_dsn, tmp_path):
        run_id = await samples.new_run(log, samples.findings(4))
        tamper(owner, "DELETE FROM mendel.run_events WHERE run_id = %s AND sequence > 2", run_id)
        async with make_log(runtime_dsn, tmp_path / "elsewhere") as forger:
            await forger.append(run_id, samples.findings(2, 50), expected=3)
        report = await verify(log, run_id)
        assert report.problem is not None
        assert (report.problem.reason, report.problem.sequence) == ("altered", 4)

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            ("DELETE FROM mendel.blobs", "blob_missing"),
            ("UPDATE mendel.blobs SET data = data || 'x'::bytea", "blob_altered"),
        ],
    )
    async def test_blobs_are_part_of_it(self, log, owner, statement, reason):
        ref = await log.blobs.put(b"content")
        run_id = await samples.new_run(log, [samples.started(), samples.blob_stored(ref)])
        tamper(owner, statement)
        report = await verify(log, run_id)
        assert report.problem is not None
        assert (report.problem.reason, report.problem.sequence) == (reason, 2)

    async def test_an_event_of_a_newer_mendel_is_refused_by_name(self, log, owner):
        run_id = await samples.new_run(log, samples.findings(2))
        tamper(owner, "UPDATE mendel.run_events SET schema_version = 99 WHERE run_id = %s AND sequence = 1", run_id)
        with pytest.raises(LogIntegrityError, match=r"schema_too_new at sequence 1.*version 99"):
            [event async for event in log.read(run_id)]


class TestOutages:
    @pytest.fixture
    def own_server(self, tmp_path):
        server = EmbeddedServer(tmp_path / "home")
        server.ensure()
        schema.prepare(server.conninfo(), may_log_in=True)
        yield server
        server.stop()

    def open(self, server, folder, *, revive=True, **options):
        database = Database(server.conninfo(user="mendel_runtime"), revive=server.ensure if revive else None)
        options.setdefault("payloads", samples.sample_payloads())
        return PostgresEventLog(database, checkpoints=FileCheckpoints(folder), **options)

    async def test_a_writer_pauses_says_so_and_goes_on(self, own_server, checkpoint_folder):
        with structlog.testing.capture_logs() as said:
            async with self.open(own_server, checkpoint_folder, revive=False) as log:
                run_id = await samples.new_run(log)
                async with log.conduct(run_id, conductor="a") as writer:
                    own_server.stop()
                    appends = [asyncio.create_task(writer.append(samples.findings(3, 3 * n))) for n in range(4)]
                    async with asyncio.timeout(60):
                        while "log_writer_paused" not in {entry["event"] for entry in said}:
                            await asyncio.sleep(0.01)
                        assert not any(task.done() for task in appends)
                        own_server.ensure()
                        await asyncio.gather(*appends)
                assert (await verify(log, run_id)).events == 14
        assert {"log_writer_paused", "log_writer_resumed"} <= {entry["event"] for entry in said}

    async def test_an_embedded_server_that_died_is_started_again(self, own_server, checkpoint_folder):
        async with self.open(own_server, checkpoint_folder) as log:
            run_id = await samples.new_run(log)
            async with log.conduct(run_id, conductor="a") as writer:
                os.kill(own_server.status().pid, signal.SIGKILL)
                async with asyncio.timeout(60):
                    await writer.append(samples.findings(5))
            assert (await verify(log, run_id)).ok

    async def test_patience_ends_where_it_is_told_to(self, own_server, checkpoint_folder):
        async with self.open(own_server, checkpoint_folder, revive=False, patience_s=0.2) as log:
            run_id = await samples.new_run(log)
            own_server.stop()
            with pytest.raises(DatabaseUnavailable, match="was unavailable"):
                await log.append(run_id, samples.findings(1), expected=1)

    async def test_closing_does_not_wait_for_a_server_that_is_away(self, own_server, checkpoint_folder):
        log = self.open(own_server, checkpoint_folder, revive=False)
        run_id = await samples.new_run(log)
        own_server.stop()
        append = asyncio.create_task(log.append(run_id, samples.findings(1), expected=1))
        await asyncio.sleep(0.2)
        async with asyncio.timeout(30):
            await log.close()
        with pytest.raises(DatabaseUnavailable):
            await append

    async def test_readers_are_told_at_once(self, own_server, checkpoint_folder):
        async with self.open(own_server, checkpoint_folder, revive=False) as log:
            run_id = await samples.new_run(log)
            own_server.stop()
            with pytest.raises(DatabaseUnavailable):
                [event async for event in log.read(run_id)]

    async def test_followers_survive_a_restart(self, own_server, checkpoint_folder):
        async with (
            self.open(own_server, checkpoint_folder) as log,
            asyncio.timeout(60),
            aclosing(log.follow(run_id := await samples.new_run(log))) as events,
        ):
            assert (await anext(events)).sequence == 0
            own_server.stop()
            own_server.ensure()
            await log.append(run_id, samples.findings(1), expected=1)
            assert (await anext(events)).sequence == 1

    async def test_a_run_taken_over_during_an_outage_is_lost(self, own_server, checkpoint_folder):
        async with self.open(own_server, checkpoint_folder) as log, self.open(own_server, checkpoint_folder) as other:
            run_id = await samples.new_run(log)
            async with log.conduct(run_id, conductor="a") as writer:
                with psycopg.connect(own_server.conninfo(), autocommit=True) as admin:
                    admin.execute(
                        "SELECT pg_terminate_backend(pid, 5000) FROM pg_locks WHERE locktype = 'advisory' AND granted"
                    )
                async with other.conduct(run_id, conductor="b") as successor:
                    with pytest.raises(WriterFenced):
                        await writer.append(samples.findings(1))
                    await successor.append(samples.findings(1))


WRITER = """
import asyncio, sys
from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.conformance import samples

async def main(dsn, folder, run_id):
    log = PostgresEventLog(Database(dsn), checkpoints=FileCheckpoints(folder), payloads=samples.sample_payloads())
    async with log, log.conduct(run_id, conductor="child") as writer:
        number = 0
        while True:
            await writer.append([samples.finding(number)])
            print(number, flush=True)
            number += 1

from pathlib import Path
asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
"""


class TestOtherProcesses:
    async def test_a_killed_conductor_lets_go_and_is_followed_by_another(self, log, runtime_dsn, checkpoint_folder):
        run_id = await samples.new_run(log)
        command = [sys.executable, "-c", WRITER, runtime_dsn, str(checkpoint_folder), run_id]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
            async with asyncio.timeout(60), aclosing(log.follow(run_id)) as events:
                async for event in events:
                    if event.sequence == 20:
                        break
            child.kill()
            acknowledged = len(child.stdout.read().split())
        async with log.conduct(run_id, conductor="successor") as writer:
            await writer.append(samples.findings(1))
        report = await verify(log, run_id)
        assert report.ok
        assert report.events >= 2 + acknowledged + 2


class TestSettingUp:
    def test_preparing_twice_changes_nothing(self, server, fresh_database):
        assert schema.prepare(server.conninfo(dbname=fresh_database)) is False

    def test_a_database_of_a_newer_mendel_is_left_alone(self, server, fresh_database, owner):
        owner.execute("UPDATE mendel.alembic_version SET version_num = '0999'")
        with pytest.raises(DatabaseNotReady, match="newer Mendel"):
            schema.prepare(server.conninfo(dbname=fresh_database))

    def test_the_revision_is_alembics_head(self):
        config = Config()
        config.set_main_option("script_location", str(schema.MIGRATIONS))
        assert ScriptDirectory.from_config(config).get_current_head() == schema.REVISION

    async def test_several_processes_may_prepare_at_once(self, server, tmp_path):
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute("CREATE DATABASE contended")
        dsn = server.conninfo(dbname="contended")
        try:
            results = await asyncio.gather(*(asyncio.to_thread(schema.prepare, dsn) for _ in range(5)))
            assert any(results)
            assert schema.prepare(dsn) is False
        finally:
            with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
                conn.execute("DROP DATABASE contended WITH (FORCE)")

    async def test_any_login_that_may_act_as_the_runtime_works_as_nothing_more(
        self, server, fresh_database, checkpoint_folder
    ):
        async with make_log(server.conninfo(dbname=fresh_database), checkpoint_folder) as log:
            run_id = await samples.new_run(log)
            assert await log._database.fetch("SELECT current_user, session_user") == [("mendel_runtime", "postgres")]
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await log._database.fetch("DELETE FROM mendel.run_events")
            assert (await log.tip(run_id)).next == 1

    def test_a_user_without_rights_is_told_what_to_do(self, server):
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute("CREATE DATABASE bare")
            conn.execute("CREATE ROLE stranger LOGIN")
        try:
            with pytest.raises(DatabaseNotReady, match="MENDEL_DATABASE_OWNER_URL"):
                schema.prepare(server.conninfo(user="stranger", dbname="bare"))
        finally:
            with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
                conn.execute("DROP DATABASE bare WITH (FORCE)")
                conn.execute("DROP ROLE stranger")

    async def test_nobody_there_is_said_so(self, tmp_path):
        database = Database(f"host={tmp_path} dbname=x user=y")
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            await database.connect()
        with pytest.raises(DatabaseUnavailable, match="cannot be reached"):
            schema.prepare(f"host={tmp_path} dbname=x user=y")


async def test_candidates_are_found_chunk_by_chunk_from_the_end(log, monkeypatch):
    monkeypatch.setattr(event_log, "_CHUNK", 3)
    drafts = [each for number in range(5) for each in samples.seen_candidate(number, samples.looks(number))]
    run_id = await samples.new_run(log, drafts)
    found = await log.newest_looks(run_id, 10)
    assert [each.candidate_id for each in found] == [f"candidate-{number}" for number in (4, 3, 2, 1, 0)]

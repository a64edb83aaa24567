"""Domains' tables in PostgreSQL keep the contract, as real columns and constraints."""

import psycopg
import pytest
import pytest_asyncio

from mendel.adapters.postgres.domain_tables import PostgresTableStore
from mendel.conformance.domain_tables import PEAS, TABLES, TableStoreContract, pea, reading
from mendel.contracts.errors import InvalidRow
from mendel.contracts.ids import new_run_id
from mendel.ports.domain_tables import NOTHING, DomainTables


@pytest.fixture
def projector_dsn(server, fresh_database):
    return server.conninfo(user="mendel_projector", dbname=fresh_database)


class TestPostgresTableStore(TableStoreContract):
    @pytest_asyncio.fixture
    async def open_store(self, projector_dsn):
        opened = []

        async def open_store():
            opened.append(PostgresTableStore.beside(projector_dsn))
            return opened[-1]

        yield open_store
        for store in opened:
            await store.aclose()


async def test_what_is_declared_are_columns_indexes_and_constraints(projector_dsn):
    async with PostgresTableStore.beside(projector_dsn) as store:
        await store.declare("garden", TABLES)
        await store.declare("garden", TABLES)
    with psycopg.connect(projector_dsn, autocommit=True) as conn:
        kinds = conn.execute(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'garden__peas'"
        ).fetchall()
        assert dict(kinds)["weight"] == "double precision"
        assert dict(kinds)["notes"] == "jsonb"
        insert = "INSERT INTO mendel_projections.garden__peas (run_id, pea, weight) VALUES (%s, 'a', %s)"
        with pytest.raises(psycopg.errors.CheckViolation):
            conn.execute(insert, (new_run_id(), 11))
        indexes = conn.execute("SELECT count(*) FROM pg_indexes WHERE tablename = 'garden__peas'").fetchone()
        assert indexes == (4,)  # the key, what is unique, what is asked by, and what retention looks at


async def test_names_that_would_be_cut_off_are_refused(projector_dsn):
    async with PostgresTableStore.beside(projector_dsn) as store:
        with pytest.raises(InvalidRow, match="too long"):
            await store.declare("g" * 60, DomainTables(tables=(PEAS,)))


@pytest.mark.parametrize("gone", [("garden__peas",), ("garden__readings",), ("garden__peas", "garden__readings")])
async def test_tables_that_somebody_has_dropped_are_made_anew(projector_dsn, gone):
    run = new_run_id()
    async with PostgresTableStore.beside(projector_dsn) as store:
        await store.declare("garden", TABLES)
        await store.store("garden", run, 3, [pea("a", 1)])
        await store.put("garden", "readings", [reading(0)])
        _drop(projector_dsn, gone)
        mark = NOTHING if "garden__peas" in gone else 3
        assert await store.watermark("garden", run) == mark
        assert len(await store.rows("garden", "peas")) == (mark == 3)
        assert len(await store.rows("garden", "readings")) == ("garden__readings" not in gone)
        _drop(projector_dsn, gone)
        await store.put("garden", "readings", [reading(1)])
        _drop(projector_dsn, gone)
        await store.drop_run("garden", run)
        _drop(projector_dsn, gone)
    async with PostgresTableStore.beside(projector_dsn) as store:
        await store.declare("garden", TABLES)
        await store.store("garden", run, 3, [pea("a", 1)])
        await store.drop_telemetry("garden")
        assert await store.watermark("garden", run) == 3


def _drop(dsn, names):
    with psycopg.connect(dsn, autocommit=True) as conn:
        for name in names:
            conn.execute(f"DROP TABLE IF EXISTS mendel_projections.{name}")

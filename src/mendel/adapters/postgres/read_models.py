"""Read models in PostgreSQL: one table for each, in a schema of their own that may be dropped at any time.

Written as ``mendel_projector``, who may read the log and change nothing in it (rule 9). Tables of another version
than this one's are dropped and made anew: their rows come again from the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from pydantic import JsonValue

from mendel.adapters.postgres.database import PROJECTOR_ROLE, Database, Params, Statement
from mendel.contracts.read_models import TABLES, Row, TableName
from mendel.ports.read_models import NOTHING, ReadModels, Step

VERSION: Final = 3
"""Of the rows that are kept: whoever changes what a fold makes of an event counts it up."""

SCHEMA: Final = "mendel_projections"
_LOCK: Final = 0x4D454E50  # "MENP"
_WATERMARKS: Final = sql.SQL(
    "CREATE TABLE IF NOT EXISTS mendel_projections.watermarks ("
    " run_id uuid NOT NULL, table_name text NOT NULL, sequence bigint NOT NULL, version integer NOT NULL,"
    " PRIMARY KEY (run_id, table_name))"
)
_TABLE: Final = sql.SQL(
    "CREATE TABLE IF NOT EXISTS {table} ("
    " run_id uuid NOT NULL, key text NOT NULL, first bigint NOT NULL, place integer NOT NULL, last bigint NOT NULL,"
    " data jsonb NOT NULL, PRIMARY KEY (run_id, key))"
)
_ORDER: Final = sql.SQL("CREATE INDEX IF NOT EXISTS {index} ON {table} (run_id, first, place)")
_UPSERT: Final = sql.SQL(
    "INSERT INTO {table} AS known (run_id, key, first, place, last, data)"
    " SELECT %s::uuid, key, first, place, last, data::jsonb"
    " FROM unnest(%s::text[], %s::bigint[], %s::integer[], %s::bigint[], %s::text[])"
    " AS given (key, first, place, last, data)"
    " ON CONFLICT (run_id, key) DO UPDATE SET last = excluded.last, data = known.data || excluded.data"
)
_MARK: Final = (
    "INSERT INTO mendel_projections.watermarks (run_id, table_name, sequence, version) VALUES (%s, %s, %s, %s)"
    " ON CONFLICT (run_id, table_name) DO UPDATE SET sequence = excluded.sequence, version = excluded.version"
)
_MARKS: Final = "SELECT table_name, sequence FROM mendel_projections.watermarks WHERE run_id = %s AND version = %s"
_COLUMNS: Final = sql.SQL("key, first, last, data::text")


def _named(table: TableName) -> sql.Identifier:
    return sql.Identifier(SCHEMA, table)


class PostgresReadModels(ReadModels):
    """Rows as JSON, by run and key."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ready = False

    @classmethod
    def beside(cls, conninfo: str) -> PostgresReadModels:
        """Those of the log at that address."""
        return cls(Database(conninfo, role=PROJECTOR_ROLE))

    async def watermarks(self, run_id: str) -> Mapping[TableName, int]:
        """As they stand in their own table."""
        found = dict.fromkeys(TABLES, NOTHING)
        for name, sequence in await self._fetch(_MARKS, (run_id, VERSION)):
            if name in found:
                found[name] = int(sequence)
        return found

    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """In one transaction; who stores the same run at the same time waits."""
        if not steps:
            return
        async with await self._connect() as conn, conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, run_id))
            known = await (await conn.execute(_MARKS, (run_id, VERSION))).fetchall()
            watermark = min((int(sequence) for _, sequence in known), default=NOTHING)
            if not known:
                await _clear(conn, run_id)
            await _write(conn, run_id, [step for step in steps if step.sequence > watermark])

    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """One row."""
        query = sql.SQL("SELECT {columns} FROM {table} WHERE run_id = %s AND key = %s")
        found = await self._fetch(query.format(columns=_COLUMNS, table=_named(table)), (run_id, key))
        return _row(found[0]) if found else None

    async def rows(
        self, run_id: str, table: TableName, *, after: int = NOTHING, limit: int | None = None
    ) -> Sequence[Row]:
        """In the order in which they came to be."""
        query = sql.SQL("SELECT {columns} FROM {table} WHERE run_id = %s AND first > %s ORDER BY first, place LIMIT %s")
        found = await self._fetch(query.format(columns=_COLUMNS, table=_named(table)), (run_id, after, limit))
        return [_row(each) for each in found]

    async def runs(self) -> Mapping[str, Row]:
        """The row of each run that was made by this version."""
        query = sql.SQL(
            "SELECT runs.run_id::text, key, first, last, data::text FROM mendel_projections.runs JOIN"
            " mendel_projections.watermarks USING (run_id) WHERE table_name = 'runs' AND version = %s"
        )
        return {str(run_id): _row(row) for run_id, *row in await self._fetch(query, (VERSION,))}

    async def drop(self, run_id: str) -> None:
        """In one transaction, too."""
        async with await self._connect() as conn, conn.transaction():
            await _clear(conn, run_id)
            await conn.execute("DELETE FROM mendel_projections.watermarks WHERE run_id = %s", (run_id,))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def _fetch(self, query: Statement, parameters: Params) -> list[TupleRow]:
        await self._prepare()
        return await self._database.fetch(query, parameters)

    async def _connect(self) -> AsyncConnection[TupleRow]:
        await self._prepare()
        return await self._database.connect()

    async def _prepare(self) -> None:
        """Make the tables, with the first question."""
        if self._ready:
            return
        async with await self._database.connect() as conn, conn.transaction():
            await conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            await _make_tables(conn)
        self._ready = True


def _row(found: Sequence[Any]) -> Row:
    """As it was fetched; its values come as text, which orjson reads much faster than the driver."""
    key, first, last, data = found
    return Row(key, first, last, orjson.loads(data))


async def _make_tables(conn: AsyncConnection[TupleRow]) -> None:
    await conn.execute(_WATERMARKS)
    for name in TABLES:
        await conn.execute(_TABLE.format(table=_named(name)))
        await conn.execute(_ORDER.format(table=_named(name), index=sql.Identifier(f"{name}_order")))


async def _clear(conn: AsyncConnection[TupleRow], run_id: str) -> None:
    for name in TABLES:
        await conn.execute(sql.SQL("DELETE FROM {table} WHERE run_id = %s").format(table=_named(name)), (run_id,))


class _Merged(NamedTuple):
    """What a batch leaves of a row: many events change the same one."""

    first: int
    place: int
    last: int
    values: dict[str, JsonValue]


async def _write(conn: AsyncConnection[TupleRow], run_id: str, steps: Sequence[Step]) -> None:
    if not steps:
        return
    for name, rows in _merged(steps).items():
        await conn.execute(_UPSERT.format(table=_named(name)), (run_id, *_columns(rows)))
    async with conn.cursor() as cursor:
        await cursor.executemany(_MARK, [(run_id, name, steps[-1].sequence, VERSION) for name in TABLES])


def _columns(rows: Mapping[str, _Merged]) -> tuple[list[str], list[int], list[int], list[int], list[str]]:
    """Rows as arrays: one statement stores them all."""
    values = rows.values()
    return (
        list(rows),
        [row.first for row in values],
        [row.place for row in values],
        [row.last for row in values],
        [orjson.dumps(row.values).decode() for row in values],
    )


def _merged(steps: Sequence[Step]) -> dict[TableName, dict[str, _Merged]]:
    """The rows that the steps touch, each as the last of them leaves it."""
    tables: dict[TableName, dict[str, _Merged]] = {}
    for sequence, changes in steps:
        for place, (name, key, values) in enumerate(changes):
            rows = tables.setdefault(name, {})
            before = rows.get(key)
            if before is None:
                rows[key] = _Merged(sequence, place, sequence, dict(values))
            else:
                before.values.update(values)
                rows[key] = before._replace(last=sequence)
    return tables

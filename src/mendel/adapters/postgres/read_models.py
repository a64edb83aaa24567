"""Read models in PostgreSQL: one table for each, in a separate schema that may be dropped at any time.

Written as ``mendel_projector``, which may read the log but not change it (rule 9). A run's rows of another version are
deleted and rebuilt from the log.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import orjson
from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow
from pydantic import JsonValue

from mendel.adapters.postgres.database import Database, Params, Statement
from mendel.adapters.postgres.roles import PROJECTOR_ROLE
from mendel.contracts.read_models import ROWS_VERSION, TABLES, Row, TableName
from mendel.ports.read_models import NOTHING, ReadModels, Step

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
    " SELECT %s::uuid, key, first, place, last, data FROM json_to_recordset(%s::json)"
    " AS given (key text, first bigint, place integer, last bigint, data jsonb)"
    " ON CONFLICT (run_id, key) DO UPDATE SET last = excluded.last, data = known.data || excluded.data"
)
_LOCKED: Final = "SELECT pg_advisory_xact_lock(%s, hashtext(%s))"
_MARK: Final = (
    "INSERT INTO mendel_projections.watermarks (run_id, table_name, sequence, version)"
    " SELECT %s, unnest(%s::text[]), %s, %s"
    " ON CONFLICT (run_id, table_name) DO UPDATE SET sequence = excluded.sequence, version = excluded.version"
)
_MARKS: Final = "SELECT table_name, sequence FROM mendel_projections.watermarks WHERE run_id = %s AND version = %s"
_ROW: Final = sql.SQL("SELECT key, first, last, data::text FROM {table} WHERE run_id = %s AND key = %s")
_ROWS: Final = sql.SQL(
    "SELECT array_agg(key), array_agg(first), array_agg(last), '[' || string_agg(data::text, ',') || ']',"
    " array_agg(place) FROM (SELECT * FROM {table} WHERE run_id = %s AND (first, place) > (%s, %s)"
    " ORDER BY first, place LIMIT %s) AS found"
)
"""Rows as arrays: parsing one text with all values is several times as fast as one text per row."""
_RUNS: Final = (
    "SELECT runs.run_id::text, key, first, last, data::text FROM mendel_projections.runs JOIN"
    " mendel_projections.watermarks USING (run_id) WHERE table_name = 'runs' AND version = %s"
)
_BY_KEY: Final = sql.SQL(
    "SELECT key, first, last, data::text FROM {table} WHERE run_id = %s AND key = ANY(%s::text[]) ORDER BY first, place"
)
_BY_VALUE: Final = sql.SQL(
    "SELECT key, first, last, data::text FROM {table} WHERE run_id = %s AND data->{name} ?| %s::text[]"
    " ORDER BY first, place"
)
_IN_FLIGHT: Final = (
    "SELECT key, first, last, data::text FROM mendel_projections.operations"
    """ WHERE run_id = %s AND data @> '{"ended": null}' ORDER BY first, place"""
)
_IN_FLIGHT_INDEX: Final = (
    "CREATE INDEX IF NOT EXISTS operations_in_flight ON mendel_projections.operations (run_id, first, place)"
    """ WHERE data @> '{"ended": null}'"""
)
_AT_ONCE: Final = 50_000  # rows per query
_BREATH: Final = 100  # rows or steps between two yields to the event loop
_ANY_PLACE: Final = 2**31 - 1  # above every place within an event

Connection = AsyncConnection[TupleRow]


def _named(table: TableName) -> sql.Identifier:
    return sql.Identifier(SCHEMA, table)


class PostgresReadModels(ReadModels):
    """Stores rows as JSON, by run and key."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._ready = False

    @classmethod
    def beside(cls, conninfo: str) -> PostgresReadModels:
        """Open the read models in the database of the log at that address."""
        return cls(Database(conninfo, role=PROJECTOR_ROLE))

    async def watermarks(self, run_id: str) -> Mapping[TableName, int]:
        """Return the stored watermarks of this version; ``NOTHING`` for tables without one."""
        found = dict.fromkeys(TABLES, NOTHING)
        for name, sequence in await self._fetch(_MARKS, (run_id, ROWS_VERSION)):
            if name in found:
                found[name] = int(sequence)
        return found

    async def store(self, run_id: str, steps: Sequence[Step]) -> None:
        """Store the steps in one transaction; concurrent calls for the same run wait for each other."""
        if steps:
            await self._work(partial(_stored, run_id=run_id, steps=steps))

    async def row(self, run_id: str, table: TableName, key: str) -> Row | None:
        """Return one row."""
        found = await self._fetch(_ROW.format(table=_named(table)), (run_id, key))
        return _row(found[0]) if found else None

    async def rows(
        self, run_id: str, table: TableName, *, after: int = NOTHING, limit: int | None = None
    ) -> Sequence[Row]:
        """Return rows in the order of their creation, fetched in chunks."""
        query, found, reached = _ROWS.format(table=_named(table)), list[Row](), (after, _ANY_PLACE)
        while True:
            wanted = _AT_ONCE if limit is None else min(_AT_ONCE, limit - len(found))
            ((keys, first, last, data, places),) = await self._fetch(query, (run_id, *reached, wanted))
            if keys is None:
                return found
            found.extend(map(Row, keys, first, last, orjson.loads(data)))
            if len(keys) < wanted:
                return found
            reached = (first[-1], places[-1])

    async def matching(self, run_id: str, table: TableName, name: str, values: Sequence[str]) -> Sequence[Row]:
        """Return matching rows: by the key, or by a scan of the run's rows, which are few enough for that."""
        query = (_BY_KEY if name == "key" else _BY_VALUE).format(table=_named(table), name=sql.Literal(name))
        return [_row(each) for each in await self._fetch(query, (run_id, list(values)))]

    async def in_flight(self, run_id: str) -> Sequence[Row]:
        """Return unfinished operations, through a partial index that contains only those."""
        return [_row(each) for each in await self._fetch(_IN_FLIGHT, (run_id,))]

    async def runs(self) -> Mapping[str, Row]:
        """Return the row of each run that was projected by this version."""
        return {str(run_id): _row(row) for run_id, *row in await self._fetch(_RUNS, (ROWS_VERSION,))}

    async def drop(self, run_id: str) -> None:
        """Delete the run's rows and watermarks in one transaction."""
        await self._work(partial(_dropped, run_id=run_id))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def _fetch(self, query: Statement, parameters: Params) -> list[TupleRow]:
        await self._prepare()
        return await self._database.fetch(query, parameters)

    async def _work(self, task: Callable[[Connection], Awaitable[None]]) -> None:
        await self._prepare()
        await self._database.work(task)

    async def _prepare(self) -> None:
        """Create the tables on the first access."""
        if not self._ready:
            await self._database.work(_make_tables)
            self._ready = True


def _row(found: Sequence[Any]) -> Row:
    """Convert a fetched row; its values come as text, which orjson parses much faster than the driver."""
    key, first, last, data = found
    return Row(key, first, last, orjson.loads(data))


async def _make_tables(conn: Connection) -> None:
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        await conn.execute(_WATERMARKS)
        for name in TABLES:
            await conn.execute(_TABLE.format(table=_named(name)))
            await conn.execute(_ORDER.format(table=_named(name), index=sql.Identifier(f"{name}_order")))
        await conn.execute(_IN_FLIGHT_INDEX)


async def _stored(conn: Connection, run_id: str, steps: Sequence[Step]) -> None:
    async with conn.pipeline(), conn.transaction():
        # The log can restore these rows and their watermark, so no commit of them needs to wait for the disk.
        await conn.execute("SET LOCAL synchronous_commit = off")
        await conn.execute(_LOCKED, (_LOCK, run_id))
        known = await (await conn.execute(_MARKS, (run_id, ROWS_VERSION))).fetchall()
        watermark = min((int(sequence) for _, sequence in known), default=NOTHING)
        if not known:  # rows of another version, or none
            await _clear(conn, run_id)
        await _write(conn, run_id, [step for step in steps if step.sequence > watermark])


async def _dropped(conn: Connection, run_id: str) -> None:
    async with conn.pipeline(), conn.transaction():
        await _clear(conn, run_id)
        await conn.execute("DELETE FROM mendel_projections.watermarks WHERE run_id = %s", (run_id,))


async def _clear(conn: Connection, run_id: str) -> None:
    for name in TABLES:
        await conn.execute(sql.SQL("DELETE FROM {table} WHERE run_id = %s").format(table=_named(name)), (run_id,))


async def _write(conn: Connection, run_id: str, steps: Sequence[Step]) -> None:
    if not steps:
        return
    for name, rows in (await _merged(steps)).items():
        for some in _in_turns(list(rows.values())):
            await conn.execute(_UPSERT.format(table=_named(name)), (run_id, orjson.dumps(some).decode()))
            await asyncio.sleep(0)  # let other tasks run
    await conn.execute(_MARK, (run_id, list(TABLES), steps[-1].sequence, ROWS_VERSION))


def _in_turns(rows: list[_Merged]) -> Iterator[list[_Merged]]:
    """Yield the rows in small batches, so that the event loop is never blocked for long."""
    return (rows[place : place + _BREATH] for place in range(0, len(rows), _BREATH))


@dataclass(slots=True)
class _Merged:
    """The combined changes of a batch to one row, which many events may change."""

    key: str
    first: int
    place: int
    last: int
    data: dict[str, JsonValue]


async def _merged(steps: Sequence[Step]) -> dict[TableName, dict[str, _Merged]]:
    """Combine the steps' changes per row, latest values last; yields to the event loop from time to time."""
    tables: dict[TableName, dict[str, _Merged]] = {}
    for number, (sequence, changes) in enumerate(steps):
        if number % _BREATH == 0:
            await asyncio.sleep(0)
        for place, (name, key, values) in enumerate(changes):
            rows = tables.setdefault(name, {})
            before = rows.get(key)
            if before is None:
                rows[key] = _Merged(key, sequence, place, sequence, dict(values))
            else:
                before.data.update(values)
                before.last = sequence
    return tables

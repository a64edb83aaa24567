"""Domain tables in PostgreSQL: real columns, keys, indexes and constraints, in the schema of the read models.

Written as ``mendel_projector``, which may read the log but not change it (rule 9).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from types import MappingProxyType
from typing import Any, Final, LiteralString, TypeVar

import orjson
import psycopg
from psycopg import AsyncConnection, sql
from psycopg.rows import TupleRow, dict_row
from psycopg.types.json import Jsonb

from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.read_models import SCHEMA
from mendel.adapters.postgres.roles import PROJECTOR_ROLE
from mendel.contracts.errors import InvalidRow
from mendel.ports.domain_tables import (
    NOTHING,
    RUN,
    Column,
    ColumnKind,
    DomainTables,
    RowChange,
    Table,
    TableRow,
    TableStore,
)

_LOCK: Final = 0x4D454E54  # "MENT"
_KINDS: Final[Mapping[ColumnKind, LiteralString]] = MappingProxyType(
    {
        "text": "text",
        "integer": "bigint",
        "real": "double precision",
        "boolean": "boolean",
        "json": "jsonb",
        "time": "timestamptz",
    }
)
_DECLARED: Final = (
    "CREATE TABLE IF NOT EXISTS mendel_projections.domain_declarations"
    " (domain text PRIMARY KEY, declaration text NOT NULL, tables text[] NOT NULL)"
)
_WATERMARKS: Final = (
    "CREATE TABLE IF NOT EXISTS mendel_projections.domain_watermarks"
    " (domain text NOT NULL, run_id uuid NOT NULL, sequence bigint NOT NULL, PRIMARY KEY (domain, run_id))"
)
_MARK: Final = "SELECT sequence FROM mendel_projections.domain_watermarks WHERE domain = %s AND run_id = %s"
_MARK_AND_TABLES: Final = (
    "SELECT (SELECT sequence FROM mendel_projections.domain_watermarks WHERE domain = %s AND run_id = %s),"
    " (SELECT count(*) FROM pg_tables WHERE schemaname = 'mendel_projections' AND tablename = ANY(%s))"
)
_MARKED: Final = (
    "INSERT INTO mendel_projections.domain_watermarks (domain, run_id, sequence) VALUES (%s, %s, %s)"
    " ON CONFLICT (domain, run_id) DO UPDATE SET sequence = excluded.sequence"
)

Connection = AsyncConnection[TupleRow]
T = TypeVar("T")


class PostgresTableStore(TableStore):
    """One database table per declared table, named ``DOMAIN__TABLE``.

    Tables may be dropped at any time, also from psql; a missing one is recreated, empty, on the next access.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._declared: dict[str, DomainTables] = {}

    @classmethod
    def beside(cls, conninfo: str) -> PostgresTableStore:
        """Open the store in the database of the log at that address."""
        return cls(Database(conninfo, role=PROJECTOR_ROLE))

    async def declare(self, domain: str, tables: DomainTables) -> None:
        """Declare the tables, under a lock: several servers may start at once."""
        tables.check_domain(domain)
        await self._database.work(partial(_declare, domain=domain, tables=tables))
        self._declared[domain] = tables

    async def watermark(self, domain: str, run_id: str) -> int:
        """Return the recorded watermark, or ``NOTHING`` if a table was missing and had to be recreated."""
        names = [f"{domain}__{table.name}" for table in self._declared[domain].tables]
        mark, there = await self._asked(domain, partial(_marked, values=(domain, run_id, names)))
        if there < len(names):
            await self.declare(domain, self._declared[domain])
            mark, _ = await self._asked(domain, partial(_marked, values=(domain, run_id, names)))
        return int(mark) if mark is not None else NOTHING

    async def store(self, domain: str, run_id: str, through: int, changes: Sequence[RowChange]) -> None:
        """Store the changes in one transaction; concurrent calls for the same run wait for each other."""
        tables = self._declared[domain]
        for change in changes:
            _of_kind(tables, change.table, telemetry=False)
        await self._database.work(
            partial(_stored, domain=domain, tables=tables, run_id=run_id, through=through, changes=changes)
        )

    async def put(self, domain: str, table: str, rows: Sequence[TableRow]) -> None:
        """Insert or update telemetry rows in one transaction."""
        declared = _of_kind(self._declared[domain], table, telemetry=True)
        whole = [declared.checked(row) for row in rows]
        await self._asked(domain, partial(_put, domain=domain, table=declared, rows=whole))

    async def rows(
        self,
        domain: str,
        table: str,
        where: TableRow = MappingProxyType({}),
        *,
        by: str | None = None,
        descending: bool = False,
        limit: int | None = None,
    ) -> Sequence[TableRow]:
        """Select rows with one statement; null values match nulls."""
        declared = self._declared[domain].table(table)
        declared.check_names((*where, *((by,) if by is not None else ())))
        order = sql.SQL(" DESC, " if descending else ", ").join(
            map(sql.Identifier, dict.fromkeys((*((by,) if by is not None else ()), *declared.whole_key)))
        )
        matched = [sql.SQL("{} IS NOT DISTINCT FROM %s").format(sql.Identifier(name)) for name in where]
        query = sql.SQL("SELECT * FROM {table} WHERE {where} ORDER BY {order} {way} LIMIT %s").format(
            table=_named(domain, declared),
            where=sql.SQL(" AND ").join([sql.SQL("true"), *matched]),
            order=order,
            way=sql.SQL("DESC" if descending else "ASC"),
        )
        return await self._asked(domain, partial(_fetched, query=query, values=(*where.values(), limit)))

    async def drop_run(self, domain: str, run_id: str) -> None:
        """Delete the rows of the run and its watermark."""
        await self._asked(domain, partial(_dropped, domain=domain, tables=self._declared[domain], run_id=run_id))

    async def drop_telemetry(self, domain: str) -> None:
        """Delete every row of the telemetry tables."""
        for table in self._declared[domain].tables:
            if table.telemetry:
                await self._asked(domain, partial(_emptied, domain=domain, table=table))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._database.close()

    async def _asked(self, domain: str, task: Callable[[Connection], Awaitable[T]]) -> T:
        """Run the task, again if a table was missing. Not for ``store``: rows it builds on would be missing."""
        try:
            return await self._database.work(task)
        except psycopg.errors.UndefinedTable:
            await self.declare(domain, self._declared[domain])
            return await self._database.work(task)


def _named(domain: str, table: Table) -> sql.Identifier:
    return sql.Identifier(SCHEMA, f"{domain}__{table.name}")


def _of_kind(tables: DomainTables, name: str, *, telemetry: bool) -> Table:
    table = tables.table(name)
    if table.telemetry != telemetry:
        raise InvalidRow(f"the table {name} is {'telemetry' if table.telemetry else 'made from events'}")
    return table


# --- declaring -------------------------------------------------------------------------------------------------


async def _declare(conn: Connection, domain: str, tables: DomainTables) -> None:
    told = [tables.version, [asdict(table) for table in tables.tables]]
    spelled = orjson.dumps(told).decode()
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))  # released at commit
        await conn.execute(_DECLARED)
        await conn.execute(_WATERMARKS)
        query = "SELECT declaration, tables FROM mendel_projections.domain_declarations WHERE domain = %s"
        known = await (await conn.execute(query, (domain,))).fetchone()
        before, names = (orjson.loads(known[0]), known[1]) if known is not None else ([None, []], [])
        kept = _kept(orjson.loads(spelled), before, await _there(conn, domain, tables))
        if known is not None and known[0] == spelled and len(kept) == len(tables.tables):
            return
        fresh = [table for table in tables.tables if table.name not in kept]
        for name in {*names, *(f"{domain}__{table.name}" for table in fresh)} - {f"{domain}__{name}" for name in kept}:
            await conn.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(sql.Identifier(SCHEMA, name)))
        if _folded(before) != _folded(orjson.loads(spelled)) or not all(table.telemetry for table in fresh):
            # Event-based tables start empty, so every run must be projected again.
            await conn.execute("DELETE FROM mendel_projections.domain_watermarks WHERE domain = %s", (domain,))
        for table in fresh:
            await _create(conn, domain, table)
        await conn.execute(
            "INSERT INTO mendel_projections.domain_declarations (domain, declaration, tables) VALUES (%s, %s, %s)"
            " ON CONFLICT (domain) DO UPDATE SET declaration = excluded.declaration, tables = excluded.tables",
            (domain, spelled, [f"{domain}__{table.name}" for table in tables.tables]),
        )


Spelled = list[Any]
"""A declaration as stored in the database: the version of the fold, and the tables."""


def _folded(declaration: Spelled) -> Spelled:
    version, tables = declaration
    return [version, [table for table in tables if not table["telemetry"]]]


def _kept(now: Spelled, before: Spelled, there: frozenset[str]) -> frozenset[str]:
    """Return the tables to keep: unchanged telemetry, and tables made from events only if all are unchanged."""
    same = frozenset(table["name"] for table in now[1] if table in before[1] and table["name"] in there)
    folded = frozenset(table["name"] for table in now[1] if not table["telemetry"])
    return same if _folded(now) == _folded(before) and folded <= same else same - folded


async def _there(conn: Connection, domain: str, tables: DomainTables) -> frozenset[str]:
    """Return the declared tables that exist in the database."""
    query = "SELECT tablename FROM pg_tables WHERE schemaname = %s AND tablename = ANY(%s)"
    names = {f"{domain}__{table.name}": table.name for table in tables.tables}
    found = await (await conn.execute(query, (SCHEMA, list(names)))).fetchall()
    return frozenset(names[name] for (name,) in found)


async def _create(conn: Connection, domain: str, table: Table) -> None:
    run = () if table.telemetry else (RUN,)
    parts = [sql.SQL("{} uuid NOT NULL").format(sql.Identifier(RUN))] if run else []
    parts += [_column(column) for column in table.columns]
    parts.append(sql.SQL("PRIMARY KEY ({})").format(_columns(table.whole_key)))
    parts += [sql.SQL("UNIQUE ({})").format(_columns((*run, *group))) for group in table.unique]
    await conn.execute(sql.SQL("CREATE TABLE {} ({})").format(_named(domain, table), sql.SQL(", ").join(parts)))
    retained = ((table.retention.by,),) if table.retention is not None else ()
    for group in (*table.indexes, *retained):
        await conn.execute(sql.SQL("CREATE INDEX ON {} ({})").format(_named(domain, table), _columns((*run, *group))))


def _columns(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _column(column: Column) -> sql.Composed:
    name = sql.Identifier(column.name)
    bounds = [(sql.SQL(">="), column.at_least), (sql.SQL("<="), column.at_most)]
    checks = [
        sql.SQL("CHECK ({} {} {})").format(name, sign, sql.Literal(bound))
        for sign, bound in bounds
        if bound is not None
    ]
    parts = [name, sql.SQL(_KINDS[column.kind]), *([] if column.nullable else [sql.SQL("NOT NULL")]), *checks]
    return sql.SQL(" ").join(parts)


# --- writing ---------------------------------------------------------------------------------------------------


async def _stored(
    conn: Connection, domain: str, tables: DomainTables, run_id: str, through: int, changes: Sequence[RowChange]
) -> None:
    async with conn.transaction():
        await conn.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (_LOCK, run_id))  # per run
        known = await (await conn.execute(_MARK, (domain, run_id))).fetchone()
        if known is not None and known[0] >= through:  # a concurrent server was faster
            return
        for change in changes:
            table = tables.table(change.table)
            if change.gone:
                await _delete(conn, domain, table, {**change.row, RUN: run_id})
            else:
                await _upsert(conn, domain, table, {RUN: run_id, **table.checked(change.row)})
        for name in {change.table for change in changes}:
            await _retain(conn, domain, tables.table(name), run_id)
        await conn.execute(_MARKED, (domain, run_id, through))


async def _put(conn: Connection, domain: str, table: Table, rows: Sequence[TableRow]) -> None:
    async with conn.transaction():
        for row in rows:
            await _upsert(conn, domain, table, row)
        await _retain(conn, domain, table, None)


async def _upsert(conn: Connection, domain: str, table: Table, row: TableRow) -> None:
    others = [name for name in row if name not in table.whole_key]
    taken = [sql.SQL("{0} = excluded.{0}").format(sql.Identifier(name)) for name in others]
    query = sql.SQL("INSERT INTO {table} ({columns}) VALUES ({values}) ON CONFLICT ({key}) DO {act}").format(
        table=_named(domain, table),
        columns=_columns(list(row)),
        values=sql.SQL(", ").join([sql.Placeholder()] * len(row)),
        key=_columns(table.whole_key),
        act=sql.SQL("UPDATE SET {}").format(sql.SQL(", ").join(taken)) if taken else sql.SQL("NOTHING"),
    )
    kinds = {column.name: column.kind for column in table.columns}
    values = [Jsonb(value) if kinds.get(name) == "json" and value is not None else value for name, value in row.items()]
    try:
        await conn.execute(query, values)
    except psycopg.errors.UniqueViolation as error:
        raise InvalidRow(f"the table {table.name} has another row with the same {error.diag.constraint_name}") from None


async def _delete(conn: Connection, domain: str, table: Table, row: TableRow) -> None:
    matched = [sql.SQL("{} = %s").format(sql.Identifier(name)) for name in table.whole_key]
    query = sql.SQL("DELETE FROM {} WHERE {}").format(_named(domain, table), sql.SQL(" AND ").join(matched))
    await conn.execute(query, table.key_of(row))


async def _retain(conn: Connection, domain: str, table: Table, run_id: str | None) -> None:
    retention = table.retention
    if retention is None:
        return
    scope = sql.SQL("true") if run_id is None else sql.SQL("run_id = {}").format(sql.Literal(run_id))
    named, by = _named(domain, table), sql.Identifier(retention.by)
    if retention.rows is not None:
        last = sql.SQL(" DESC, ").join(map(sql.Identifier, dict.fromkeys((retention.by, *table.whole_key))))
        query = sql.SQL(
            "DELETE FROM {table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM {table} WHERE {scope}"
            " ORDER BY {last} DESC OFFSET %s))"
        )
        await conn.execute(query.format(table=named, scope=scope, last=last), (retention.rows,))
    if retention.age_s is not None:
        query = sql.SQL(
            "DELETE FROM {table} WHERE {scope} AND {by} < (SELECT max({by}) FROM {table} WHERE {scope}) - %s"
        )
        await conn.execute(query.format(table=named, scope=scope, by=by), (timedelta(seconds=retention.age_s),))


async def _marked(conn: Connection, values: Sequence[Any]) -> tuple[int | None, int]:
    ((mark, there),) = await (await conn.execute(_MARK_AND_TABLES, values)).fetchall()
    return mark, there


async def _emptied(conn: Connection, domain: str, table: Table) -> None:
    await conn.execute(sql.SQL("DELETE FROM {}").format(_named(domain, table)))


async def _dropped(conn: Connection, domain: str, tables: DomainTables, run_id: str) -> None:
    async with conn.transaction():
        for table in tables.tables:
            if not table.telemetry:
                await conn.execute(sql.SQL("DELETE FROM {} WHERE run_id = %s").format(_named(domain, table)), (run_id,))
        await conn.execute(
            "DELETE FROM mendel_projections.domain_watermarks WHERE domain = %s AND run_id = %s", (domain, run_id)
        )


async def _fetched(conn: Connection, query: sql.Composed, values: Sequence[Any]) -> list[dict[str, Any]]:
    async with conn.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(query, values)
        found = await cursor.fetchall()
    return [{**row, RUN: str(row[RUN])} if RUN in row else row for row in found]

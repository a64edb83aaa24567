"""Domain tables in memory: for logs without a database; lost when the process ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from mendel.contracts.errors import InvalidRow
from mendel.ports.domain_tables import NOTHING, RUN, DomainTables, RowChange, Table, TableRow, TableStore

Key = tuple[Any, ...]
Rows = dict[Key, dict[str, Any]]


@dataclass
class _Domain:
    tables: DomainTables
    rows: defaultdict[str, Rows] = field(default_factory=lambda: defaultdict(dict))
    watermarks: dict[str, int] = field(default_factory=dict)


def _folded(tables: DomainTables) -> tuple[int, list[Table]]:
    return tables.version, [table for table in tables.tables if not table.telemetry]


class MemoryTableStore(TableStore):
    """Stores rows in dictionaries by key."""

    def __init__(self) -> None:
        self._domains: dict[str, _Domain] = {}

    async def declare(self, domain: str, tables: DomainTables) -> None:
        """Declare tables; keep the rows of those declared as before (event-based ones only all together)."""
        tables.check_domain(domain)
        made, known = _Domain(tables), self._domains.get(domain)
        if known is not None:
            alike = _folded(known.tables) == _folded(tables)
            made.watermarks = known.watermarks if alike else {}
            kept = (table for table in tables.tables if table in known.tables.tables and (table.telemetry or alike))
            made.rows.update({table.name: known.rows[table.name] for table in kept})
        self._domains[domain] = made

    async def watermark(self, domain: str, run_id: str) -> int:
        """Return the stored watermark."""
        return self._domains[domain].watermarks.get(run_id, NOTHING)

    async def store(self, domain: str, run_id: str, through: int, changes: Sequence[RowChange]) -> None:
        """Apply the changes to copies, which replace the tables only if every change is valid."""
        known = self._domains[domain]
        if through <= known.watermarks.get(run_id, NOTHING):
            return
        copies = {name: dict(known.rows[name]) for name in {change.table for change in changes}}
        for change in changes:
            _change(_of_kind(known, change.table, telemetry=False), copies[change.table], run_id, change)
        for name, rows in copies.items():
            table = known.tables.table(name)
            _refuse_twins(table, rows.values())
            known.rows[name] = _kept(table, rows, run_id)
        known.watermarks[run_id] = through

    async def put(self, domain: str, table: str, rows: Sequence[TableRow]) -> None:
        """Insert telemetry rows into a copy, which replaces the table if it is valid."""
        known = self._domains[domain]
        declared = _of_kind(known, table, telemetry=True)
        copy = dict(known.rows[table])
        for row in rows:
            whole = declared.checked(row)
            copy[declared.key_of(whole)] = whole
        _refuse_twins(declared, copy.values())
        known.rows[table] = _kept(declared, copy, None)

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
        """Select rows by a scan."""
        known = self._domains[domain]
        declared = known.tables.table(table)
        declared.check_names((*where, *((by,) if by is not None else ())))
        found = [
            row for row in known.rows[table].values() if all(row.get(name) == value for name, value in where.items())
        ]
        order = (*((by,) if by is not None else ()), *declared.whole_key)
        found.sort(key=lambda row: [_sortable(row[name]) for name in order], reverse=descending)
        return [dict(row) for row in found[:limit]]

    async def drop_run(self, domain: str, run_id: str) -> None:
        """Delete the run's rows from every event-based table, and its watermark."""
        known = self._domains[domain]
        for table in (table for table in known.tables.tables if not table.telemetry):
            rows = known.rows[table.name]
            known.rows[table.name] = {key: row for key, row in rows.items() if row[RUN] != run_id}
        known.watermarks.pop(run_id, None)

    async def drop_telemetry(self, domain: str) -> None:
        """Delete every row of the telemetry tables."""
        known = self._domains[domain]
        for table in (table for table in known.tables.tables if table.telemetry):
            known.rows[table.name] = {}

    async def aclose(self) -> None:
        """Do nothing: no resources are held."""


def _of_kind(known: _Domain, name: str, *, telemetry: bool) -> Table:
    table = known.tables.table(name)
    if table.telemetry != telemetry:
        raise InvalidRow(f"the table {name} is {'telemetry' if table.telemetry else 'made from events'}")
    return table


def _change(table: Table, rows: Rows, run_id: str, change: RowChange) -> None:
    if change.gone:
        rows.pop(table.key_of({**change.row, RUN: run_id}), None)
        return
    whole = {RUN: run_id, **table.checked(change.row)}
    rows[table.key_of(whole)] = whole


def _refuse_twins(table: Table, rows: Iterable[TableRow]) -> None:
    for group in table.unique:
        seen: set[Key] = set()
        for row in rows:
            values = tuple(row[name] for name in (*(() if table.telemetry else (RUN,)), *group))
            if None not in values and values in seen:  # as in SQL, nulls are never equal
                raise InvalidRow(f"the table {table.name} has another row with the same {', '.join(group)}")
            seen.add(values)


def _kept(table: Table, rows: Rows, run_id: str | None) -> Rows:
    """Apply the table's retention to a run's rows, or to all, and return the rows left."""
    retention = table.retention
    if retention is None:
        return rows
    own = [(key, row) for key, row in rows.items() if run_id is None or row[RUN] == run_id]
    own.sort(key=lambda each: ([_sortable(each[1][retention.by])], [_sortable(part) for part in each[0]]), reverse=True)
    gone = {key for key, _ in own[retention.rows :]} if retention.rows is not None else set()
    newest = own[0][1][retention.by] if own else None
    if retention.age_s is not None and isinstance(newest, datetime):
        oldest = newest - timedelta(seconds=retention.age_s)
        gone |= {key for key, row in own if row[retention.by] is not None and row[retention.by] < oldest}
    return {key: row for key, row in rows.items() if key not in gone}


def _sortable(value: object) -> tuple[bool, Any]:
    """Return a sort key that puts null values last, as in PostgreSQL."""
    return (value is None, 0 if value is None else value)

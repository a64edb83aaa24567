"""Port ``TableStore``: tables that a domain declares as data, with types, keys, indexes, constraints and retention.

There are two kinds. *Folded* tables are derived from the events of the domain's runs: they may be dropped at any time
and are rebuilt from the log. *Telemetry* is written by the domain's services. It cannot be rebuilt from a log, replay
and verification ignore it, and it must not affect any decision, claim, adoption or resumption (rule 2). It may be
dropped at any time, too.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, cast, get_args

from pydantic import JsonValue

from mendel.contracts.errors import InvalidRow
from mendel.contracts.events.envelope import Event
from mendel.ports.closing import Closing

ColumnKind = Literal["text", "integer", "real", "boolean", "json", "time"]
TableValue = JsonValue | datetime
TableRow = Mapping[str, TableValue]

NOTHING: Final = -1
"""The watermark of a run of which nothing was read yet."""
RUN: Final = "run_id"
"""The additional column of every folded table, and the first part of its key."""
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,29}")
_NO_NAME: Final = "is no valid name: use up to 30 lower-case letters, digits and _, beginning with a letter"
_KINDS: Final[tuple[ColumnKind, ...]] = get_args(ColumnKind)
_NUMBERS: Final[frozenset[ColumnKind]] = frozenset({"integer", "real"})
_RESERVED: Final = frozenset({"cmax", "cmin", "ctid", "tableoid", "xmax", "xmin"})
"""Columns that every table in PostgreSQL already has."""
_WHOLE: Final = 2**63  # integers are stored in 64 bits
_LONGEST: Final = 60
"""Maximum length of the names of a domain and its table together: PostgreSQL truncates longer ones."""
_TYPES: Final[Mapping[ColumnKind, tuple[type, ...]]] = MappingProxyType(
    {"text": (str,), "integer": (int,), "real": (float, int), "boolean": (bool,), "time": (datetime,)}
)


@dataclass(frozen=True)
class Column:
    """A typed column; a number may have bounds."""

    name: str
    kind: ColumnKind
    nullable: bool = False
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Retention:
    """The rows to keep, by the column ``by``: the newest ``rows``, and those at most ``age_s`` older than the newest.

    In a folded table it applies to each run. Age is measured from the newest row, never by a clock, so that the same
    events leave the same rows.
    """

    by: str
    rows: int | None = None
    age_s: float | None = None


@dataclass(frozen=True)
class Table:
    """A table. A row replaces the one with the same ``key``; ``unique`` and ``indexes`` are groups of columns."""

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    unique: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()
    retention: Retention | None = None
    telemetry: bool = False

    def __post_init__(self) -> None:
        complaint = next(self._complaints(), None)
        if complaint is not None:
            raise ValueError(f"the table {self.name!r}: {complaint}")

    def _complaints(self) -> Iterator[str]:
        """Yield what is wrong, most basic first. Later checks may assume that the earlier ones found nothing."""
        yield from _malformed(self)
        names = self._names
        yield from (f"{name!r} {_NO_NAME}" for name in (self.name, *names) if not _NAME.fullmatch(name))
        yield from (f"PostgreSQL has a column {name} of its own" for name in names if name in _RESERVED)
        if len(names) > len(set(names)) or RUN in names:
            yield f"column names must be unique, and {RUN} is reserved"
        for column in self.columns:
            yield from (f"the column {column.name!r} {complaint}" for complaint in _wrong_with(column))
        yield from self._wrong_groups(frozenset(names))
        if self.retention is not None:
            yield from _wrong_retention(self.retention, self._kind(self.retention.by))

    def _wrong_groups(self, names: frozenset[str]) -> Iterator[str]:
        groups = (self.key, *self.unique, *self.indexes)
        used = {name for group in groups for name in group}
        used |= {self.retention.by} if self.retention is not None else set()
        yield from (f"it has no column {name!r}" for name in sorted(used - names))
        yield from () if self.key else ("it has no key",)
        yield from () if all(groups) else ("a group of unique or indexes names no column",)
        yield from (f"{group!r} names a column twice" for group in groups if len(group) > len(set(group)))
        nullable = {column.name for column in self.columns if column.nullable}
        yield from (f"{name!r} is part of the key and cannot be null" for name in sorted(nullable & set(self.key)))
        compared = {name for group in (self.key, *self.unique) for name in group if self._kind(name) == "json"}
        yield from (f"{name!r} is json, which can be neither part of a key nor unique" for name in sorted(compared))

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def _refuse_unknown(self, names: Iterable[str], known: Collection[str]) -> None:
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise InvalidRow(f"the table {self.name} has no column {unknown!r}; there are {', '.join(known)}")

    def _kind(self, name: str) -> ColumnKind | None:
        return next((column.kind for column in self.columns if column.name == name), None)

    @property
    def whole_key(self) -> tuple[str, ...]:
        """The columns that identify a row."""
        return self.key if self.telemetry else (RUN, *self.key)

    def check_names(self, names: Iterable[str]) -> None:
        """Check that rows can be queried by these columns.

        Raises:
            InvalidRow: the table has no such column; the message lists the existing ones.
        """
        self._refuse_unknown(names, (*(() if self.telemetry else (RUN,)), *self._names))

    def key_of(self, row: TableRow) -> tuple[TableValue, ...]:
        """Return the values of the row's key.

        Raises:
            InvalidRow: the row lacks one of them.
        """
        missing = next((name for name in self.whole_key if name not in row), None)
        if missing is not None:
            raise InvalidRow(f"a row of the table {self.name} has no {missing}, which is part of its key")
        return tuple(row[name] for name in self.whole_key)

    def checked(self, row: TableRow) -> dict[str, TableValue]:
        """Return the row with all of its columns.

        Raises:
            InvalidRow: it does not fit; the message names table and column, but no value.
        """
        self._refuse_unknown(row, self._names)
        for column in self.columns:
            if not _fits(column, row.get(column.name)):
                raise InvalidRow(f"the column {column.name} of the table {self.name} takes {_described(column)}")
        return {column.name: row.get(column.name) for column in self.columns}


def _malformed(table: Table) -> Iterator[str]:
    """Complain about fields of the wrong type: domains may be written without a type checker."""
    if not isinstance(cast("object", table.name), str):
        yield f"its name is {table.name!r:.60}, not text"
    if not _is_tuple_of(Column, table.columns):
        yield f"columns is {table.columns!r:.60}, not a tuple of Column"
    yield from () if _are_names(table.key) else (f"key is {table.key!r:.60}, not a tuple of columns, like ('id',)",)
    for field in ("unique", "indexes"):
        groups = getattr(table, field)
        if not isinstance(groups, tuple) or not all(map(_are_names, groups)):
            yield f"{field} is {groups!r:.60}, not a tuple of tuples of columns, like (('id',),)"
    if not isinstance(cast("object", table.retention), Retention | None):
        yield f"retention is {table.retention!r:.60}, not a Retention"


def _is_tuple_of(kind: type, value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, kind) for each in value)


def _are_names(value: object) -> bool:
    return _is_tuple_of(str, value)


def _wrong_with(column: Column) -> Iterator[str]:
    if column.kind not in _KINDS:
        yield f"is of the kind {column.kind!r:.60}; known are {', '.join(_KINDS)}"
    bounds = [bound for bound in (column.at_least, column.at_most) if bound is not None]
    if bounds and column.kind not in _NUMBERS:
        yield f"has bounds, which a column of the kind {column.kind} cannot have"
    if not all(map(_is_number, bounds)):
        yield f"has the bounds {bounds!r:.60}, which are not numbers"
    elif len(bounds) > 1 and bounds[0] > bounds[1]:
        yield f"is at least {bounds[0]:g} and at most {bounds[1]:g}, which no number satisfies"


def _wrong_retention(retention: Retention, kind: ColumnKind | None) -> Iterator[str]:
    if retention.age_s is not None and kind != "time":
        yield "a maximum age needs a column of the kind time"
    if kind == "json":
        yield f"{retention.by!r} is json, which does not order rows by age"
    for field in ("rows", "age_s"):
        value = getattr(retention, field)
        if value is not None and not (_is_number(value) and value >= 0):
            yield f"{field} of its retention is {value!r:.60}, not a number from 0"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # not NaN


def _fits(column: Column, value: TableValue) -> bool:
    if value is None:
        return column.nullable
    if column.kind == "json":
        return not isinstance(value, datetime)
    # bool is a subclass of int, but not a number here.
    if isinstance(value, bool) != (column.kind == "boolean") or not isinstance(value, _TYPES[column.kind]):
        return False
    if isinstance(value, datetime):
        return value.tzinfo is not None  # without a zone a time is ambiguous
    return not isinstance(value, int | float) or _within(column, value)


def _within(column: Column, value: float) -> bool:
    low = column.at_least if column.at_least is not None else -float("inf")
    high = column.at_most if column.at_most is not None else float("inf")
    return low <= value <= high and (column.kind != "integer" or -_WHOLE <= value < _WHOLE)


def _described(column: Column) -> str:
    low = f" from {column.at_least:g}" if column.at_least is not None else ""
    high = f" to {column.at_most:g}" if column.at_most is not None else ""
    return f"{column.kind}{low}{high}{' or null' if column.nullable else ''}"


class RowChange(NamedTuple):
    """A row of a folded table after an event; for a ``gone`` row the key suffices."""

    table: str
    row: TableRow
    gone: bool = False


TableFoldOf = Callable[[Event], Iterable[RowChange]]
"""Returns the rows that an event changes. It depends on the event alone, so that reading may resume at any event."""


def no_changes(event: Event) -> Iterable[RowChange]:  # noqa: ARG001 - as every fold
    """Change nothing: the fold of a domain with only telemetry tables."""
    return ()


@dataclass(frozen=True)
class DomainTables:
    """The ``tables`` of a domain's registration. A changed ``fold`` needs another ``version``."""

    tables: tuple[Table, ...]
    fold: TableFoldOf = no_changes
    version: int = 1

    def __post_init__(self) -> None:
        if not _is_tuple_of(Table, self.tables):
            raise TypeError(f"tables is {self.tables!r:.60}, not a tuple of Table")
        if not callable(cast("object", self.fold)):
            raise TypeError(f"fold is {self.fold!r:.60}, not a function")
        names = [table.name for table in self.tables]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two tables are called {', '.join(twice)}")

    def check_domain(self, domain: str) -> None:
        """Check that a store can keep the tables for a domain of that name.

        Raises:
            InvalidRow: a name is too long.
        """
        for table in self.tables:
            if len(f"{domain}__{table.name}") > _LONGEST:
                raise InvalidRow(f"the names {domain} and {table.name} of a domain and its table are too long together")

    def table(self, name: str) -> Table:
        """Return the table of that name.

        Raises:
            InvalidRow: there is none.
        """
        found = next((table for table in self.tables if table.name == name), None)
        if found is None:
            raise InvalidRow(f"there is no table {name!r}; there are {', '.join(table.name for table in self.tables)}")
        return found


class TableStore(Closing, ABC):
    """Keeps the tables of domains.

    Obligations of an implementation:

    - ``declare`` comes first and may be repeated. If the declaration of folded tables or the version has changed, they
      are all created again, empty, and folding the domain's runs starts over. Telemetry with an unchanged declaration
      is kept, because it is in no log.
    - ``store`` is atomic and includes the watermark. Events up to the watermark are no-ops, so two readers of the same
      log may both store them.
    - A row that does not fit, or violates ``unique``, is refused with ``InvalidRow``, and nothing of its batch is
      stored.
    - ``put`` writes only telemetry, and ``store`` only folded tables.
    """

    @abstractmethod
    async def declare(self, domain: str, tables: DomainTables) -> None:
        """Create the tables of a domain, or use the existing ones; missing tables are created again."""

    @abstractmethod
    async def watermark(self, domain: str, run_id: str) -> int:
        """Return the last event of the run that the folded tables include, or ``NOTHING``."""

    @abstractmethod
    async def store(self, domain: str, run_id: str, through: int, changes: Sequence[RowChange]) -> None:
        """Apply the changes in order; afterwards the run's watermark is the event ``through``."""

    @abstractmethod
    async def put(self, domain: str, table: str, rows: Sequence[TableRow]) -> None:
        """Write telemetry; a row replaces the one with the same key."""

    @abstractmethod
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
        """Return the rows with these values, sorted by the column ``by``, then the key; folded ones have ``run_id``."""

    @abstractmethod
    async def drop_run(self, domain: str, run_id: str) -> None:
        """Delete the folded rows of a run."""

    @abstractmethod
    async def drop_telemetry(self, domain: str) -> None:
        """Delete all telemetry of a domain."""

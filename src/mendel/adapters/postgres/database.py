"""Connections to PostgreSQL: their role and settings, and which errors count as an outage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, LiteralString, TypeVar

import psycopg
from psycopg import AsyncConnection, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from mendel.adapters.postgres.roles import RUNTIME_ROLE
from mendel.contracts.errors import (
    ConfigError,
    DatabaseNotReady,
    DatabaseUnavailable,
    EmbeddedServerError,
    StorageError,
)

OUTAGES: Final = (psycopg.OperationalError, psycopg.InterfaceError)
"""Errors when the server is unavailable, shutting down or out of space; a retry may succeed later."""

AWAY: Final = (*OUTAGES, DatabaseUnavailable, EmbeddedServerError, StorageError)
"""``OUTAGES``, plus the errors when an embedded server cannot be restarted, for example on a full disk."""

Params = Sequence[Any] | Mapping[str, Any] | None
Statement = LiteralString | sql.SQL | sql.Composed

T = TypeVar("T")

_MOST: Final = 8
"""Maximum number of concurrent statements: a server accepts about a hundred connections, each costing milliseconds."""


class Database:
    """The address of the log's PostgreSQL, and a few idle connections to it.

    Every connection uses the role ``mendel_runtime``, which owns nothing and may only insert and select. ``revive`` is
    called when the server is unreachable: it restarts the embedded server; None for an external one.
    """

    def __init__(self, conninfo: str, *, role: str = RUNTIME_ROLE, revive: Callable[[], None] | None = None) -> None:
        self._conninfo = _with_settings(conninfo, role)
        self._role = role
        self._revive = revive
        self._idle: list[AsyncConnection[TupleRow]] = []
        self._places = asyncio.Semaphore(_MOST)

    async def connect(self) -> AsyncConnection[TupleRow]:
        """Open a new connection, which the caller closes.

        Raises:
            DatabaseUnavailable: the server cannot be reached, or it rejects the login.
            DatabaseNotReady: the role does not exist, or may not be assumed.
        """
        try:
            return await self._open()
        except psycopg.OperationalError as error:
            if self._revive is None:
                raise _refusal(error, self._role) from error
        await asyncio.to_thread(self._revive)
        try:
            return await self._open()
        except psycopg.OperationalError as error:
            raise _refusal(error, self._role) from error

    async def fetch(self, query: Statement, parameters: Params = None, *, binary: bool = False) -> list[TupleRow]:
        """Return the rows of one statement, which must be safe to execute twice: see ``work``."""

        async def fetched(conn: AsyncConnection[TupleRow]) -> list[TupleRow]:
            cursor = await conn.execute(query, parameters, binary=binary)
            return await cursor.fetchall() if cursor.description is not None else []

        return await self.work(fetched)

    async def work(self, task: Callable[[AsyncConnection[TupleRow]], Awaitable[T]]) -> T:
        """Run ``task`` on a pooled connection and return its result.

        The task must be safe to run twice: an idle connection may have died, which shows only on use, and then the
        task is retried on a new one.

        Raises:
            DatabaseUnavailable: the server is unavailable or the connection was lost.
        """
        async with self._places:
            while True:
                kept = bool(self._idle)
                try:
                    async with self._lent() as conn:
                        return await task(conn)
                except OUTAGES as error:
                    await self.close()  # other idle connections have probably died, too
                    if not kept:  # a new connection failed, not a stale one
                        raise DatabaseUnavailable(f"PostgreSQL went away: {first_line(error)}") from error

    @asynccontextmanager
    async def _lent(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        conn = self._idle.pop() if self._idle else await self.connect()
        try:
            yield conn
        except BaseException:
            await conn.close()
            raise
        self._idle.append(conn)

    async def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            await self._idle.pop().close()

    async def _open(self) -> AsyncConnection[TupleRow]:
        return await AsyncConnection.connect(self._conninfo, autocommit=True)


def parse_address(conninfo: str) -> dict[str, Any]:
    """Parse a URL or a keyword string into its parts.

    Raises:
        ConfigError: it is neither. The message does not repeat the text, which may contain a password.
    """
    try:
        return dict(conninfo_to_dict(conninfo))
    except psycopg.ProgrammingError as error:
        raise ConfigError(
            "database.url (MENDEL_DATABASE_URL): not a PostgreSQL address; expected "
            "postgresql://user@host:port/database, or keywords such as host=… dbname=…"
        ) from error


def first_line(error: BaseException) -> str:
    """Return the first line of a driver's message, which contains the reason."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _with_settings(conninfo: str, role: str) -> str:
    given = parse_address(conninfo)
    options = f"{given.get('options') or ''} -c timezone=UTC -c client_encoding=UTF8"
    if given.get("user") != role:
        options += f" -c role={role}"
    timeout = str(given.get("connect_timeout") or 10)
    return make_conninfo(conninfo, options=options.strip(), connect_timeout=timeout)


def _refusal(error: psycopg.OperationalError, role: str) -> DatabaseUnavailable | DatabaseNotReady:
    reason = first_line(error)
    if f'role "{role}"' in str(error) or "permission denied to set role" in str(error):
        return DatabaseNotReady(
            f"PostgreSQL is reachable, but Mendel's role is missing or not granted ({reason}); run `mendel db up`, "
            "or, where you may not create roles, have an administrator set MENDEL_DATABASE_OWNER_URL and run it once"
        )
    return DatabaseUnavailable(
        f"PostgreSQL cannot be reached: {reason}. Is it running, and is MENDEL_DATABASE_URL right? "
        "`mendel db status` says more"
    )

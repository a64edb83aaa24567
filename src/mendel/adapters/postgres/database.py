"""Connections to PostgreSQL: as which role, with which settings, and which errors are an outage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

import psycopg
from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from mendel.contracts.errors import DatabaseNotReady, DatabaseUnavailable

RUNTIME_ROLE: Final = "mendel_runtime"
OWNER_ROLE: Final = "mendel_owner"
PROJECTOR_ROLE: Final = "mendel_projector"

OUTAGES: Final = (psycopg.OperationalError, psycopg.InterfaceError)
"""The server is away, going away, or out of room; what was asked may work later."""

_MAX_IDLE: Final = 4


class Database:
    """Where the log's PostgreSQL is, and a few idle connections to it.

    Every connection works as the role ``mendel_runtime``, which owns nothing and may insert and select. ``revive`` is
    called when nobody answers: it starts the embedded server again, and does nothing for a server of somebody else.
    """

    def __init__(self, conninfo: str, *, role: str = RUNTIME_ROLE, revive: Callable[[], None] | None = None) -> None:
        self._conninfo = _with_settings(conninfo, role)
        self._role = role
        self._revive = revive
        self._idle: list[AsyncConnection[TupleRow]] = []

    async def connect(self) -> AsyncConnection[TupleRow]:
        """A fresh connection; the caller closes it.

        Raises:
            DatabaseUnavailable: nobody answers, or nobody lets us in.
            DatabaseNotReady: the server answers, but the role does not exist or may not be taken.
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

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[AsyncConnection[TupleRow]]:
        """A connection for one short piece of work; it is kept for the next one if it survives.

        Raises:
            DatabaseUnavailable: the server is away or went away.
        """
        conn = self._idle.pop() if self._idle else await self.connect()
        try:
            yield conn
        except OUTAGES as error:
            await conn.close()
            await self.close()
            raise DatabaseUnavailable(f"PostgreSQL went away: {first_line(error)}") from error
        except BaseException:
            await conn.close()
            raise
        if len(self._idle) < _MAX_IDLE and not conn.closed:
            self._idle.append(conn)
        else:
            await conn.close()

    async def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            await self._idle.pop().close()

    async def _open(self) -> AsyncConnection[TupleRow]:
        return await AsyncConnection.connect(self._conninfo, autocommit=True)


def first_line(error: BaseException) -> str:
    """The first line of a driver's message, which is where the reason stands."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def _with_settings(conninfo: str, role: str) -> str:
    given = conninfo_to_dict(conninfo)
    options = f"{given.get('options') or ''} -c timezone=UTC -c client_encoding=UTF8"
    if given.get("user") != role:
        options += f" -c role={role}"
    timeout = str(given.get("connect_timeout") or 10)
    return make_conninfo(conninfo, options=options.strip(), connect_timeout=timeout)


def _refusal(error: psycopg.OperationalError, role: str) -> DatabaseUnavailable | DatabaseNotReady:
    reason = first_line(error)
    if f'role "{role}"' in str(error) or "permission denied to set role" in str(error):
        return DatabaseNotReady(
            f"PostgreSQL answers, but Mendel's role is not there or not granted ({reason}); run `mendel db up`, "
            "or, where you may not create roles, have an administrator set MENDEL_DATABASE_OWNER_URL and run it once"
        )
    return DatabaseUnavailable(
        f"PostgreSQL cannot be reached: {reason}. Is it running, and is MENDEL_DATABASE_URL right? "
        "`mendel db status` says more"
    )

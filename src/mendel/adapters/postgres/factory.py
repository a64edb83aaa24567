"""Opens the log in PostgreSQL: at a configured URL, or in the embedded server of a Mendel home."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from functools import partial

from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres import schema
from mendel.adapters.postgres.database import Database, parse_address
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.adapters.postgres.roles import RUNTIME_ROLE
from mendel.contracts.errors import LogNotFound
from mendel.ports.log_context import LogContext


async def open_log(context: LogContext) -> PostgresEventLog:
    """Open the log, with its server running and its schema up to date.

    Raises:
        LogNotFound: this home has no cluster, and ``create`` is not set.
        DatabaseUnavailable, DatabaseNotReady, EmbeddedServerError, StorageError: the log cannot be opened.
    """
    database = await (_external(context.database_url, context) if context.database_url else _embedded(context))
    return PostgresEventLog(
        database,
        checkpoints=FileCheckpoints(context.home / "checkpoints" / _name(context.database_url)),
        scrubber=context.scrubber,
        patience_s=context.patience_s,
    )


def _name(url: str | None) -> str:
    """Name a database's checkpoints after its address, not its user: every user must find the same ones."""
    if url is None:
        return "embedded"
    address = parse_address(url)
    place = "|".join(str(address.get(part)) for part in ("host", "port", "dbname"))
    return f"external-{hashlib.sha256(place.encode()).hexdigest()[:16]}"


async def _external(url: str, context: LogContext) -> Database:
    if context.create:
        await asyncio.to_thread(schema.prepare, context.owner_url or url)
    elif not await asyncio.to_thread(schema.is_ready, url):
        raise LogNotFound("there is no log in that database yet; `mendel db up` sets one up")
    return Database(url)


async def _embedded(context: LogContext) -> Database:
    server = EmbeddedServer(context.home, announce=context.announce)
    if not context.create and not server.exists:
        raise LogNotFound(f"there is no log in {context.home} yet")
    await asyncio.to_thread(server.ensure)
    await asyncio.to_thread(partial(schema.prepare, server.conninfo(), may_log_in=True))
    revive: Callable[[], None] = server.ensure
    return Database(server.conninfo(user=RUNTIME_ROLE), revive=revive)

"""Stores of events and of the data derived from them.

The PostgreSQL adapters are imported on demand, because a file log works without psycopg.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, cast

import structlog

from mendel.adapters.memory.domain_tables import MemoryTableStore
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.adapters.postgres.roles import OWNER_ROLE, PROJECTOR_ROLE, RUNTIME_ROLE
from mendel.ports.domain_tables import TableStore
from mendel.ports.event_log import EventLog
from mendel.ports.log_context import LogContext, OpenLog
from mendel.ports.read_models import ReadModels
from mendel.ports.registry import resolve
from mendel.settings import Settings
from mendel.wiring.process import configure_telemetry
from mendel.wiring.secrets import plain, scrubber

if TYPE_CHECKING:
    from mendel.adapters.postgres.embedded import EmbeddedServer, ServerStatus

Announce = Callable[[str], None]

ROLES = {"runtime": RUNTIME_ROLE, "owner": OWNER_ROLE, "admin": "postgres"}
"""Database roles by the name under which a connection to the embedded server can be requested."""


@asynccontextmanager
async def open_log(settings: Settings, *, create: bool, announce: Announce) -> AsyncIterator[EventLog]:
    """Open the configured log; ``create`` creates a missing one, for writing.

    Raises:
        LogNotFound: there is no log, and ``create`` is False.
        UnknownPlugin: no log with the configured name is installed.
    """
    if not structlog.is_configured():  # as a library, without the command line
        configure_telemetry(settings)
    opener = cast("OpenLog", resolve("mendel.event_logs", settings.log.backend))
    context = LogContext(
        home=settings.home,
        create=create,
        scrubber=scrubber(settings),
        database_url=plain(settings.database.url),
        owner_url=plain(settings.database.owner_url),
        patience_s=settings.database.patience_s,
        announce=announce,
    )
    async with await opener(context) as log:
        yield log


@asynccontextmanager
async def open_read_models(settings: Settings, announce: Announce) -> AsyncIterator[ReadModels]:
    """Open the read models: in the PostgreSQL of the log, or in memory for any other log."""
    if settings.log.backend != "postgres":
        yield MemoryReadModels()
        return
    from mendel.adapters.postgres.read_models import PostgresReadModels

    # The projector role can write read models, but not events.
    address = external_database(settings) or embedded_server(settings, announce).conninfo(user=PROJECTOR_ROLE)
    async with PostgresReadModels.beside(address) as models:
        yield models


@asynccontextmanager
async def open_table_store(settings: Settings, announce: Announce) -> AsyncIterator[TableStore]:
    """Open the store for tables of domains: in PostgreSQL or in memory, like the read models."""
    if settings.log.backend != "postgres":
        yield MemoryTableStore()
        return
    from mendel.adapters.postgres.domain_tables import PostgresTableStore

    address = external_database(settings) or embedded_server(settings, announce).conninfo(user=PROJECTOR_ROLE)
    async with PostgresTableStore.beside(address) as store:
        yield store


def embedded_server(settings: Settings, announce: Announce) -> EmbeddedServer:
    """Return the embedded PostgreSQL server of this home."""
    from mendel.adapters.postgres.embedded import EmbeddedServer

    return EmbeddedServer(settings.home, announce=announce)


def server_status(settings: Settings) -> ServerStatus:
    """Return the status of the embedded PostgreSQL server of this home."""
    from mendel.adapters.postgres.embedded import EmbeddedServer

    return EmbeddedServer(settings.home).status()


def external_database(settings: Settings) -> str | None:
    """Return the URL of the external PostgreSQL server, if one is configured; it may contain a password."""
    return plain(settings.database.url)


def migrate(settings: Settings, announce: Announce) -> bool:
    """Start the database and migrate its schema; return whether the schema changed."""
    from mendel.adapters.postgres import schema

    url = external_database(settings)
    if url is not None:
        return schema.prepare(plain(settings.database.owner_url) or url)  # migration may need more permissions
    server = embedded_server(settings, announce)
    server.ensure()
    return schema.prepare(server.conninfo(), may_log_in=True)  # safe, because its socket is private

"""Where events and what is made of them are kept.

The adapters of PostgreSQL are imported when they are wanted: they bring psycopg, which a log of files does without.
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
"""Who may be asked for a connection to the embedded server."""


@asynccontextmanager
async def open_log(settings: Settings, *, create: bool, announce: Announce) -> AsyncIterator[EventLog]:
    """The log that the settings name; ``create`` is for those who write.

    Raises:
        LogNotFound: nothing was ever written here, and nothing is to be made.
        UnknownPlugin: no log of that name is installed.
    """
    if not structlog.is_configured():
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
    """What is made of the log to be looked at: beside it in PostgreSQL, and in memory where the log is elsewhere."""
    if settings.log.backend != "postgres":
        yield MemoryReadModels()
        return
    from mendel.adapters.postgres.read_models import PostgresReadModels

    address = external_database(settings) or embedded_server(settings, announce).conninfo(user=PROJECTOR_ROLE)
    async with PostgresReadModels.beside(address) as models:
        yield models


@asynccontextmanager
async def open_table_store(settings: Settings, announce: Announce) -> AsyncIterator[TableStore]:
    """Where domains keep their own tables: as the read models."""
    if settings.log.backend != "postgres":
        yield MemoryTableStore()
        return
    from mendel.adapters.postgres.domain_tables import PostgresTableStore

    address = external_database(settings) or embedded_server(settings, announce).conninfo(user=PROJECTOR_ROLE)
    async with PostgresTableStore.beside(address) as store:
        yield store


def embedded_server(settings: Settings, announce: Announce) -> EmbeddedServer:
    """The PostgreSQL of this home."""
    from mendel.adapters.postgres.embedded import EmbeddedServer

    return EmbeddedServer(settings.home, announce=announce)


def server_status(settings: Settings) -> ServerStatus:
    """What the PostgreSQL of this home is doing."""
    from mendel.adapters.postgres.embedded import EmbeddedServer

    return EmbeddedServer(settings.home).status()


def external_database(settings: Settings) -> str | None:
    """The URL of somebody else's PostgreSQL, if that is used; it may hold a password."""
    return plain(settings.database.url)


def migrate(settings: Settings, announce: Announce) -> bool:
    """Bring the database up and its schema up to date; whether the schema had to change."""
    from mendel.adapters.postgres import schema

    url = external_database(settings)
    if url is not None:
        return schema.prepare(plain(settings.database.owner_url) or url)
    server = embedded_server(settings, announce)
    server.ensure()
    return schema.prepare(server.conninfo(), may_log_in=True)

"""An embedded PostgreSQL in a temporary home, with databases to fill."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres import schema
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.embedded import EmbeddedServer
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.adapters.postgres.roles import RUNTIME_ROLE
from mendel.conformance.samples import sample_payloads

_TEMPLATE = "mendel"
_ADMIN_DATABASE = "postgres"


class BenchServer:
    """The server of one benchmark, started by Mendel with its usual settings."""

    def __init__(self, home: Path, server: EmbeddedServer) -> None:
        self._home = home
        self._server = server

    def new_database(self, name: str, *, empty: bool = False) -> str:
        """Create a database, with Mendel's schema unless ``empty``, and return its superuser's conninfo."""
        template = "template1" if empty else _TEMPLATE
        with psycopg.connect(self._server.conninfo(dbname=_ADMIN_DATABASE), autocommit=True) as conn:
            create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
            conn.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        return self._server.conninfo(dbname=name)

    def runtime_conninfo(self, name: str) -> str:
        """Return the conninfo of the role that may only insert and select."""
        return self._server.conninfo(user=RUNTIME_ROLE, dbname=name)

    def open_log(self, name: str) -> PostgresEventLog:
        """Return the complete log in the database, with checkpoints in files and the payloads of the samples."""
        return PostgresEventLog(
            Database(self.runtime_conninfo(name)),
            checkpoints=FileCheckpoints(self._home / "checkpoints" / name),
            payloads=sample_payloads(),
        )


@contextmanager
def bench_server() -> Iterator[BenchServer]:
    """Start a server that is stopped and removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="mendel-bench-") as folder:
        home = Path(folder)
        server = EmbeddedServer(home)
        server.ensure()
        try:
            schema.prepare(server.conninfo(), may_log_in=True)  # the runtime's role connects directly here
            yield BenchServer(home, server)
        finally:
            server.stop()

"""Fixtures that need a real server: one embedded PostgreSQL per test process, one fresh database per test."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

from mendel.adapters.postgres import schema
from mendel.adapters.postgres.embedded import EmbeddedServer

_numbers = count()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    server = EmbeddedServer(tmp_path_factory.mktemp("mendel-home"))
    server.ensure()
    schema.prepare(server.conninfo())
    yield server
    server.stop()


@pytest.fixture
def fresh_database(server: EmbeddedServer) -> Iterator[str]:
    """The name of a migrated, empty database of this test's own."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name} TEMPLATE mendel")
    yield name
    with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
        conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def owner_dsn(server: EmbeddedServer, fresh_database: str) -> str:
    return server.conninfo(user="mendel_owner", dbname=fresh_database)


@pytest.fixture
def runtime_dsn(server: EmbeddedServer, fresh_database: str) -> str:
    return server.conninfo(user="mendel_runtime", dbname=fresh_database)


@pytest.fixture
def checkpoint_folder(tmp_path: Path) -> Path:
    return tmp_path / "checkpoints"

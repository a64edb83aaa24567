from functools import partial

import psycopg
import pytest
import pytest_asyncio

from mendel.adapters.file.checkpoints import FileCheckpoints
from mendel.adapters.postgres.blobs import PostgresBlobs
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.event_log import PostgresEventLog
from mendel.adapters.postgres.read_models import PostgresReadModels
from mendel.conformance.blobs import BlobsContract
from mendel.conformance.event_log import EventLogContract
from mendel.conformance.read_models import ReadModelsContract


class TestPostgresEventLog(EventLogContract):
    @pytest.fixture
    def open_log(self, runtime_dsn, checkpoint_folder):
        def open_log(**options):
            return PostgresEventLog(Database(runtime_dsn), checkpoints=FileCheckpoints(checkpoint_folder), **options)

        return open_log

    @pytest.fixture
    def open_other_log(self, server, fresh_database, tmp_path):
        name = f"{fresh_database}_other"
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute(f"CREATE DATABASE {name} TEMPLATE mendel")
        database = Database(server.conninfo(user="mendel_runtime", dbname=name))
        yield partial(PostgresEventLog, database, checkpoints=FileCheckpoints(tmp_path / "elsewhere"))
        with psycopg.connect(server.conninfo(dbname="postgres"), autocommit=True) as conn:
            conn.execute(f"DROP DATABASE {name} WITH (FORCE)")


class TestPostgresReadModels(ReadModelsContract):
    @pytest_asyncio.fixture
    async def open_models(self, server, fresh_database):
        opened = []

        async def open_models():
            opened.append(PostgresReadModels.beside(server.conninfo(user="mendel_projector", dbname=fresh_database)))
            return opened[-1]

        yield open_models
        for models in opened:
            await models.aclose()


class TestPostgresBlobs(BlobsContract):
    @pytest_asyncio.fixture
    async def open_blobs(self, runtime_dsn):
        opened = []

        def open_blobs(scrubber):
            opened.append(Database(runtime_dsn))
            return PostgresBlobs(opened[-1], scrubber)

        yield open_blobs
        for database in opened:
            await database.close()

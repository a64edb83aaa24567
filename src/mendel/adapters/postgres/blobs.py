"""Blobs in PostgreSQL, in the same database as the log that refers to them."""

from __future__ import annotations

from mendel.adapters.postgres.database import Database
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import Blobs


class PostgresBlobs(Blobs):
    """Stores blobs in a table that refuses UPDATE, DELETE and TRUNCATE."""

    def __init__(self, database: Database, scrubber: Scrubber | None = None) -> None:
        super().__init__(scrubber)
        self._database = database

    async def _missing(self, names: frozenset[str]) -> frozenset[str]:
        query = """
            SELECT name FROM unnest(%s::text[]) AS name
            WHERE NOT EXISTS (SELECT FROM mendel.blobs WHERE hash = name)"""
        return frozenset(row[0] for row in await self._database.fetch(query, (list(names),)))

    async def _store(self, name: str, data: bytes) -> None:
        query = "INSERT INTO mendel.blobs (hash, data) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        await self._database.fetch(query, (name, data))

    async def _load(self, name: str) -> bytes | None:
        rows = await self._database.fetch("SELECT data FROM mendel.blobs WHERE hash = %s", (name,), binary=True)
        return bytes(rows[0][0]) if rows else None

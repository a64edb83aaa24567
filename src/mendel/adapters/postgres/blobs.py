"""Blobs in PostgreSQL, beside the log that refers to them."""

from __future__ import annotations

from collections.abc import Iterable

from mendel.adapters.postgres.database import Database
from mendel.contracts.scrub import Scrubber
from mendel.ports.blobs import Blobs


class PostgresBlobs(Blobs):
    """Keeps blobs in a table that refuses UPDATE, DELETE and TRUNCATE."""

    def __init__(self, database: Database, scrubber: Scrubber | None = None) -> None:
        super().__init__(scrubber)
        self._database = database

    async def missing(self, names: Iterable[str]) -> frozenset[str]:
        """Those of ``names`` under which nothing is kept."""
        wanted = list(names)
        query = (
            "SELECT name FROM unnest(%s::text[]) AS name WHERE NOT EXISTS (SELECT FROM mendel.blobs WHERE hash = name)"
        )
        async with self._database.connection() as conn:
            rows = await (await conn.execute(query, (wanted,))).fetchall()
        return frozenset(row[0] for row in rows)

    async def _store(self, name: str, data: bytes) -> None:
        query = "INSERT INTO mendel.blobs (hash, data) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        async with self._database.connection() as conn:
            await conn.execute(query, (name, data))

    async def _load(self, name: str) -> bytes | None:
        query = "SELECT data FROM mendel.blobs WHERE hash = %s"
        async with self._database.connection() as conn:
            row = await (await conn.execute(query, (name,), binary=True)).fetchone()
        return bytes(row[0]) if row else None

"""The writing session: one connection that holds locks on this process's runs and survives outages."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from mendel.adapters.postgres import statements
from mendel.adapters.postgres.database import AWAY, OUTAGES, Database, first_line
from mendel.contracts.errors import DatabaseUnavailable, DuplicateEventId, RunBusy, SequenceConflict, WriterFenced
from mendel.ports.outages import Outage
from mendel.ports.records import Record

_LOCK_PAUSES_S = (0.02, 0.05, 0.1, 0.2, 0.4)  # between attempts to take a lock


class WritingSession:
    """Writes batches, and waits while the server is unreachable, down or out of space.

    Runs are held through session advisory locks, which end with the session. When a lost session is replaced, the
    locks are taken again; a run that another process took in the meantime is lost, and so are its batches.
    """

    def __init__(self, database: Database, patience_s: float | None) -> None:
        self._database = database
        self._patience_s = patience_s
        self._conn: AsyncConnection[TupleRow] | None = None
        self._connecting = asyncio.Lock()
        self._held: set[str] = set()
        self._lost: set[str] = set()
        self._closing = False

    async def insert(self, run_id: str, records: Sequence[Record]) -> None:
        """Make ``records`` durable; succeeds also if an earlier, unacknowledged attempt did that.

        Raises:
            SequenceConflict: they do not continue the stored log.
            DuplicateEventId: the log already contains one of the ids.
            DatabaseUnavailable: the server stayed unavailable for longer than ``patience_s``.
        """
        outage = Outage("PostgreSQL", self._patience_s)
        parameters = statements.insert_parameters(run_id, records)
        while True:
            try:
                await self._insert_once(run_id, records, parameters)
            except AWAY as error:
                # If the session is alive, it is kept with its locks: on a full disk only the statement failed.
                await outage.pause(first_line(error), DatabaseUnavailable, closing=self._closing)
            else:
                outage.over()
                return

    async def hold(self, run_id: str) -> None:
        """Hold the run exclusively among living sessions.

        Raises:
            RunBusy: another session holds it, or this one already does.
            DatabaseUnavailable: the server is unavailable or the connection was lost.
        """
        try:
            taken = run_id in self._held or not await _lock_soon(await self._session(), run_id)
        except OUTAGES as error:
            await self._drop()
            raise DatabaseUnavailable(f"PostgreSQL went away: {first_line(error)}") from error
        if taken:
            raise RunBusy(f"run {run_id} is being conducted by another living process")
        self._held.add(run_id)
        self._lost.discard(run_id)

    async def release(self, run_id: str) -> None:
        """Release the run."""
        self._held.discard(run_id)
        if self._conn is not None and not self._conn.closed:
            try:
                await self._conn.execute("SELECT pg_advisory_unlock(%s)", (_lock_key(run_id),))
            except OUTAGES:
                await self._drop()  # the lock ended with the session

    async def close(self, *, final: bool = True) -> None:
        """Stop waiting for an unavailable server; with ``final``, end the session too."""
        self._closing = True
        if final:
            await self._drop()

    async def _insert_once(self, run_id: str, records: Sequence[Record], parameters: dict[str, object]) -> None:
        conn = await self._session()
        if run_id in self._lost:
            raise WriterFenced(f"run {run_id} was taken over while the database was away")
        try:
            inserted = (await conn.execute(statements.INSERT, parameters)).rowcount
        except psycopg.errors.UniqueViolation as error:
            await _explain_taken(conn, run_id, records, error)
            return
        if inserted == 0:
            raise SequenceConflict(f"run {run_id} does not end just before sequence {records[0].sequence}")

    async def _session(self) -> AsyncConnection[TupleRow]:
        async with self._connecting:
            if self._conn is None or self._conn.closed:
                await self._drop()
                self._conn = await self._regain(await self._database.connect())
            return self._conn

    async def _regain(self, conn: AsyncConnection[TupleRow]) -> AsyncConnection[TupleRow]:
        """Take the locks of the previous session's runs on ``conn``, note the lost ones, and return ``conn``."""
        try:
            lost = {run_id for run_id in self._held if not await _lock_soon(conn, run_id)}
        except BaseException:
            await conn.close()
            raise
        self._lost |= lost
        self._held -= lost
        return conn

    async def _drop(self) -> None:
        conn, self._conn = self._conn, None
        if conn is not None:
            await conn.close()


def _lock_key(run_id: str) -> int:
    digest = hashlib.blake2b(f"mendel.run.{run_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, signed=True)


async def _lock_soon(conn: AsyncConnection[TupleRow], run_id: str) -> bool:
    """Take the run's lock, with a few retries: the server may not have noticed yet that its last holder is dead."""
    for pause_s in _LOCK_PAUSES_S:
        if await _try_lock(conn, run_id):
            return True
        await asyncio.sleep(pause_s)
    return await _try_lock(conn, run_id)


async def _try_lock(conn: AsyncConnection[TupleRow], run_id: str) -> bool:
    row = await (await conn.execute("SELECT pg_try_advisory_lock(%s)", (_lock_key(run_id),))).fetchone()
    return row is not None and bool(row[0])


async def _explain_taken(
    conn: AsyncConnection[TupleRow], run_id: str, records: Sequence[Record], error: psycopg.errors.UniqueViolation
) -> None:
    """Return if the batch is already stored, which is a success; raise if its place or an id of it is taken."""
    first, last = records[0].sequence, records[-1].sequence
    cursor = await conn.execute(statements.IDS, (run_id, first, last))
    stored = [row[0] for row in await cursor.fetchall()]
    if stored == [record.event_id for record in records]:
        return
    if stored:
        raise SequenceConflict(f"run {run_id} has another event at sequence {first}") from error
    raise DuplicateEventId(f"the log already contains an event id of the batch: {error.diag.message_detail}") from error

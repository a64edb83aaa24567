"""The event log in PostgreSQL."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Any

import orjson
import psycopg

from mendel.adapters.postgres import statements
from mendel.adapters.postgres.blobs import PostgresBlobs
from mendel.adapters.postgres.database import Database
from mendel.adapters.postgres.listener import Listener
from mendel.adapters.postgres.writer import WritingSession
from mendel.contracts.commands import Command, NewCommand
from mendel.contracts.errors import DatabaseUnavailable, EmbeddedServerError, StorageError
from mendel.contracts.payloads import PAYLOADS, PayloadRegistry
from mendel.contracts.scrub import Scrubber
from mendel.contracts.times import utc_now
from mendel.ports.checkpoints import Checkpoints
from mendel.ports.event_log import Changed, EventLog, Glimpse
from mendel.ports.records import Record, Tip

_CHUNK = 2_000  # events per query
_END = 2**63 - 1  # above every sequence


class PostgresEventLog(EventLog):
    """Stores runs in a table that refuses UPDATE, DELETE and TRUNCATE.

    A batch is one statement and one synchronous commit. It is inserted only if the stored log ends with the event that
    the batch is chained to. So of two concurrent writers one succeeds and the other gets an error.
    """

    outages = (DatabaseUnavailable, EmbeddedServerError, StorageError)

    def __init__(
        self,
        database: Database,
        *,
        checkpoints: Checkpoints,
        scrubber: Scrubber | None = None,
        payloads: PayloadRegistry = PAYLOADS,
        clock: Callable[[], datetime] = utc_now,
        patience_s: float | None = None,
    ) -> None:
        super().__init__(
            blobs=PostgresBlobs(database, scrubber),
            checkpoints=checkpoints,
            scrubber=scrubber,
            payloads=payloads,
            clock=clock,
        )
        self._database = database
        self._session = WritingSession(database, patience_s)
        self._listener = Listener(database)

    async def close(self) -> None:
        """Wait for batches in flight, unless the database is unavailable, and disconnect."""
        await self._session.close(final=False)  # gives up a batch that waits for the server
        await super().close()
        await self._listener.close()
        await self._session.close()  # only now, since the batches in flight need it
        await self._database.close()

    async def commands(self, run_id: str, after: int = 0) -> tuple[Command, ...]:
        """Return the run's commands with a position above ``after``, in order."""
        return tuple(_command(row) for row in await self._database.fetch(statements.COMMANDS, (run_id, after)))

    async def _commit(self, run_id: str, records: Sequence[Record]) -> None:
        await self._session.insert(run_id, records)

    async def _load_tip(self, run_id: str) -> Tip:
        rows = await self._database.fetch(statements.TIP, (run_id,))
        return Tip(*rows[0]) if rows else Tip()

    async def _records(self, run_id: str, start: int, stop: int | None = None) -> AsyncIterator[Sequence[Record]]:
        end = _END if stop is None else stop
        while chunk := await self._chunk(run_id, start, end):
            yield chunk
            if len(chunk) < _CHUNK:
                return
            start = chunk[-1].sequence + 1

    async def _chunk(self, run_id: str, start: int, stop: int) -> list[Record]:
        rows = await self._database.fetch(statements.READ, (run_id, start, stop, _CHUNK), binary=True)
        return [statements.record_of(row) for row in rows]

    async def _glimpses(self) -> AsyncIterator[Glimpse]:
        columns = len(Record._fields)
        for milestone, *records in await self._database.fetch(statements.GLIMPSES):
            first, last = records[:columns], records[columns:]
            yield Glimpse(statements.record_of(first), statements.record_of(last), milestone)

    async def _niche_marks(self, niche: str) -> AsyncIterator[Sequence[Record]]:
        rows = await self._database.fetch(statements.NICHE_MARKS, {"niche": niche}, binary=True)
        yield [statements.record_of(row) for row in rows]

    async def _traces(self, run_id: str) -> AsyncGenerator[Sequence[Record], None]:
        before = _END
        while rows := await self._database.fetch(statements.TRACES_BACKWARDS, (run_id, before, _CHUNK), binary=True):
            chunk = [statements.record_of(row) for row in rows]
            yield chunk
            before = chunk[-1].sequence

    @asynccontextmanager
    async def _hold(self, run_id: str) -> AsyncIterator[None]:
        await self._session.hold(run_id)
        try:
            yield
        finally:
            await self._session.release(run_id)

    def _watch(self, run_id: str) -> AbstractAsyncContextManager[Changed]:
        return self._listener.watch(run_id)

    def _watch_commands(self, run_id: str) -> AbstractAsyncContextManager[Changed]:
        return self._listener.watch(run_id + statements.COMMANDS_ONLY)

    async def _store_command(self, command: NewCommand, payload: bytes, issued_at: datetime) -> Command:
        fields = {
            "run_id": command.run_id,
            "id": command.id,
            "kind": command.kind.value,
            "actor": command.actor.value,
            "payload": payload.decode(),
            "issued_at": issued_at,
        }
        while True:
            try:
                await self._database.fetch(statements.INSERT_COMMAND, fields)
            except psycopg.errors.UniqueViolation:
                continue  # another writer took the position concurrently: try the next one
            return _command((await self._database.fetch(statements.COMMAND, (command.id,)))[0])


def _command(row: Sequence[Any]) -> Command:
    run_id, position, command_id, kind, actor, payload, issued_at = row
    return Command(
        run_id=run_id,
        position=position,
        id=command_id,
        kind=kind,
        actor=actor,
        payload=orjson.loads(payload),
        issued_at=issued_at,
    )

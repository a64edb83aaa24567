"""One LISTEN connection per log, shared by all watchers."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from mendel.adapters.postgres.database import AWAY, Database, first_line
from mendel.adapters.postgres.statements import CHANNEL
from mendel.ports.event_log import Changed

_log = structlog.get_logger(__name__)
_RETRY_S = 0.5  # pause after a lost connection


class Listener:
    """Wakes the watchers of a run when the database reports a change.

    After an outage every watcher is woken once; it reads on and finds the changes made meanwhile.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: dict[str, set[asyncio.Event]] = defaultdict(set)
        self._listening = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def watch(self, run_id: str) -> AsyncIterator[Changed]:
        """Watch the run from now on; the result waits for its next change."""
        flag = asyncio.Event()
        self._watchers[run_id].add(flag)
        if self._task is None or self._task.done():
            self._listening.clear()
            self._task = asyncio.create_task(self._listen_for_ever())
            self._task.add_done_callback(self._ended)
        await self._listening.wait()

        async def changed() -> None:
            await flag.wait()
            flag.clear()
            self._raise_if_ended()

        try:
            self._raise_if_ended()
            yield changed
        finally:
            self._watchers[run_id].discard(flag)

    async def close(self) -> None:
        """Stop listening."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    def _ended(self, _task: asyncio.Task[None]) -> None:
        """Wake every waiting task when the listener has ended, so that none waits for ever."""
        self._listening.set()
        self._wake_everybody()

    def _raise_if_ended(self) -> None:
        if self._task is not None and self._task.done():
            self._task.result()

    async def _listen_for_ever(self) -> None:
        while True:
            try:
                await self._listen()
            except AWAY as error:
                _log.warning("log_listener_paused", reason=first_line(error), retry_s=_RETRY_S)
            await asyncio.sleep(_RETRY_S)

    async def _listen(self) -> None:
        conn = await self._database.connect()
        async with conn:
            await conn.execute(f"LISTEN {CHANNEL}")
            self._listening.set()
            self._wake_everybody()  # changes before LISTEN took effect were not notified
            async for note in conn.notifies():
                for flag in self._watchers.get(note.payload, ()):
                    flag.set()

    def _wake_everybody(self) -> None:
        for flags in self._watchers.values():
            for flag in flags:
                flag.set()

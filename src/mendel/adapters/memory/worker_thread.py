"""Runs plain functions in threads of this process, where no child processes are wanted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from pydantic import ValidationError

from mendel.adapters.memory.outcomes import Outcome, malformed, overran, perform
from mendel.adapters.memory.plain_work import PlainWork
from mendel.contracts.base import JsonObject
from mendel.contracts.work import Answer, TaskPayload, Work
from mendel.ports.handlers import Handler


class ThreadWork(PlainWork):
    """One function at a time. A thread cannot be killed: after its deadline it runs on, concurrently with the next."""

    def __init__(self) -> None:
        self._place = asyncio.Semaphore(1)

    async def run(self, handler: Handler, payload: JsonObject, deadline_s: float | None) -> Outcome:
        """Perform the task in a new thread."""
        function = cast("Callable[[Work], Answer]", handler)
        async with self._place:
            try:
                async with asyncio.timeout(deadline_s):
                    return Outcome(await _in_thread(lambda: _performed(function, payload)))
            except TimeoutError:
                return Outcome(overran(deadline_s or 0.0))

    async def close(self) -> None:
        """Do nothing: the threads end with the process."""


def _performed(function: Callable[[Work], Answer], payload: JsonObject) -> JsonObject:
    try:
        return perform(function, TaskPayload.model_validate(payload))
    except ValidationError as error:
        return malformed(error)


async def _in_thread(job: Callable[[], JsonObject]) -> JsonObject:
    """Run ``job`` in a daemon thread; an executor would block exit on a function that never returns."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[JsonObject] = loop.create_future()

    def settle(outcome: JsonObject) -> None:
        if not done.done():
            done.set_result(outcome)

    def run() -> None:
        outcome = job()
        with suppress(RuntimeError):  # the loop was closed in the meantime
            loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=run, name="mendel-worker", daemon=True).start()
    return await done

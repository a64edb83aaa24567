"""A thread for a domain's code, so that one that never returns costs its own run and nothing else.

A coroutine could not be stopped, and a process would need the state copied. The thread and the conductor take turns:
while the thread decides, nobody folds. One that overstays is left behind: an exception is sent into it, which ends
loops of Python code; a call that blocks outside Python stays until the process ends, as a daemon.

Most calls take less than a millisecond, and whoever goes back to the event loop meanwhile waits longer for its turn
than for the answer: two threads of Python share one lock. So a call is waited for where it is made, for a moment.
"""

from __future__ import annotations

import asyncio
import ctypes
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Final, TypeVar, cast

from mendel.contracts.errors import DomainFailed

T = TypeVar("T")

MOMENT_S: Final = 0.002
_Job = tuple[Callable[[], object], Future[object]]


class Abandoned(BaseException):
    """Sent into a domain's code that did not return in time; no handler for errors stops it."""


class DomainThread:
    """Runs one call at a time; used by one conductor."""

    def __init__(self, name: str, doing: Callable[[], str], patience_s: float) -> None:
        self._doing = doing
        self._patience_s = patience_s
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=f"domain-{name}", daemon=True)
        self._thread.start()

    async def call(self, work: Callable[[], T]) -> T:
        """What ``work`` returns or raises.

        Raises:
            DomainFailed: it did not return in time; the thread is of no use any more, nor if the caller is cancelled.
        """
        return await self.finish(self.begin(work))

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Hand ``work`` over, and see for a moment whether it is done."""
        future: Future[object] = Future()
        self._jobs.put((work, future))
        with suppress(TimeoutError):
            future.exception(MOMENT_S)
        return cast("Future[T]", future)

    async def finish(self, future: Future[T]) -> T:
        """As :meth:`call`, of what was begun."""
        if future.done():
            return future.result()
        try:
            async with asyncio.timeout(self._patience_s) as patience:
                return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self._abandon()
            raise
        except TimeoutError:
            if not patience.expired():
                raise
            self._abandon()
            raise DomainFailed(
                f"{self._doing()} did not return within {self._patience_s:g} s; the methods of a plug-in are quick, "
                "and what takes time is a step"
            ) from None

    def close(self) -> None:
        """Let the thread end."""
        self._jobs.put(None)

    def _abandon(self) -> None:
        if self._thread.is_alive() and self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(Abandoned))
        self.close()

    def _serve(self) -> None:
        with suppress(Abandoned):
            while (job := self._jobs.get()) is not None:
                _perform(job)


def _perform(job: _Job) -> None:
    work, future = job
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except Abandoned:
        raise
    # Broad on purpose: whatever comes out of a thread is handed to whoever waits for it.
    except BaseException as raised:  # noqa: BLE001
        future.set_exception(raised)

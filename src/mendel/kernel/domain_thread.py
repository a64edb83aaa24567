"""A thread for a domain's code, so that one that never returns costs its own run and nothing else.

A coroutine could not be stopped, and a process would need the state copied. The thread and the conductor take turns:
while the thread decides, nobody folds. One that overstays is left behind: an exception is sent into it, which ends
loops of Python code; a call that blocks outside Python stays until the process ends, as a daemon.
"""

from __future__ import annotations

import asyncio
import ctypes
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar, cast

from mendel.contracts.errors import DomainFailed

T = TypeVar("T")

_Job = tuple[Callable[[], object], asyncio.Future[object], asyncio.AbstractEventLoop]


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
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        self._jobs.put((work, future, loop))
        try:
            async with asyncio.timeout(self._patience_s) as patience:
                return cast("T", await future)
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
    work, future, loop = job
    try:
        answer, error = work(), None
    except Abandoned:
        raise
    # Broad on purpose: whatever comes out of a thread is handed to whoever waits for it.
    except BaseException as raised:  # noqa: BLE001
        answer, error = None, raised
    _deliver(loop, future, answer, error)


def _deliver(
    loop: asyncio.AbstractEventLoop, future: asyncio.Future[object], answer: object, error: BaseException | None
) -> None:
    def hand_over() -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(answer)

    if not loop.is_closed():
        loop.call_soon_threadsafe(hand_over)

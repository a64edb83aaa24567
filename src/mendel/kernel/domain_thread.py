"""A thread for a domain's code, so that a call that never returns costs only its own run.

A coroutine could not be stopped, and a process would need a copy of the state. The thread and the conductor take
turns: nothing is folded while the thread decides. A thread that exceeds its time limit is abandoned: an exception is
sent into it, which ends loops of Python code. A call that blocks outside Python stays, in a daemon thread, until the
process ends.

Most calls take less than a millisecond. A caller that went back to the event loop would wait longer for its next turn
than for the result, because Python threads share one lock. So the caller first blocks for a moment.
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

MOMENT_S: Final = 0.002  # seconds for which a caller blocks the event loop at most
_Job = tuple[Callable[[], object], Future[object]]


class Abandoned(BaseException):
    """Raised inside domain code that did not return in time; a BaseException, so ``except Exception`` misses it."""


class DomainThread:
    """A thread that runs one call at a time, for one conductor."""

    def __init__(self, name: str, doing: Callable[[], str], patience_s: float) -> None:
        self._doing = doing
        self._patience_s = patience_s
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name=f"domain-{name}", daemon=True)
        self._thread.start()

    async def call(self, work: Callable[[], T]) -> T:
        """Run ``work`` in the thread; return or raise its result.

        Raises:
            DomainFailed: it did not return in time. The thread is unusable then, as after a cancellation of the caller.
        """
        return await self.finish(self.begin(work))

    def begin(self, work: Callable[[], T]) -> Future[T]:
        """Hand ``work`` to the thread, and block for a moment to see whether it finishes."""
        future: Future[object] = Future()
        self._jobs.put((work, future))
        with suppress(TimeoutError):
            future.exception(MOMENT_S)
        return cast("Future[T]", future)

    async def finish(self, future: Future[T]) -> T:
        """Wait for the result of :meth:`begin`, as :meth:`call` does."""
        if future.done():
            return future.result()
        try:
            async with asyncio.timeout(self._patience_s) as patience:
                return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self._abandon()
            raise
        except TimeoutError:
            if not patience.expired():  # the domain's own code raised it
                raise
            self._abandon()
            raise DomainFailed(
                f"{self._doing()} did not return within {self._patience_s:g} s; the methods of a plug-in must be quick:"
                " move slow work into a step"
            ) from None

    def close(self) -> None:
        """End the thread after its current call."""
        self._jobs.put(None)

    def _abandon(self) -> None:
        if self._thread.is_alive() and self._thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(Abandoned))
        self.close()  # ends the thread even if its code swallows the exception

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
    # Broad on purpose: the caller that waits for the future receives every exception, SystemExit included.
    except BaseException as raised:  # noqa: BLE001
        future.set_exception(raised)

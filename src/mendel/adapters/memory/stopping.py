"""Waiting for an asyncio task that is not ours to trust, and ending it."""

from __future__ import annotations

import asyncio
from typing import Any, Final

_TRIES: Final = 3
_PATIENCE_S: Final = 1.0

_stopped: set[asyncio.Task[Any]] = set()
"""Tasks on their way out; asyncio itself would let one that swallows its cancellation be collected while it runs."""


async def ended_within(running: asyncio.Task[Any], seconds: float) -> bool:
    """Wait for ``running``, but not longer; whether it has ended. As ``asyncio.wait``, in half the time."""
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
    """Cancel ``running`` and return once it has ended; one that swallows every cancellation is given up in the end."""
    _stopped.add(running)
    running.add_done_callback(_stopped.discard)
    for _ in range(_TRIES):
        running.cancel()
        if await ended_within(running, _PATIENCE_S):
            return

"""Limits per client: request rates (token buckets), open streams, and the size and speed of bodies."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

_MOST_CLIENTS: Final = 10_000  # bounds memory; the client seen longest ago is forgotten
_SLOWEST: Final = 64 * 1024
"""Minimum rate of a large body in bytes per second; a slower one times out."""


class Buckets:
    """A token bucket per client: bursts of ``at_once`` requests, refilled at ``per_s``; 0 means no limit."""

    def __init__(self, per_s: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._at_once, self._clock = per_s, at_once, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, client: str) -> float:
        """Count a request and return 0, or return the seconds until the next one is allowed."""
        if not self._per_s:
            return 0.0
        now = self._clock()
        left, since = self._clients.pop(client, (float(self._at_once), now))  # popped, to be reinserted as the newest
        left = min(float(self._at_once), left + (now - since) * self._per_s)
        allowed = left >= 1.0
        self._clients[client] = (left - 1.0 if allowed else left, now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) / self._per_s


class OpenStreams:
    """Counts the open streams of each client."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def full(self, client: str) -> bool:
        """Whether the client has reached the limit."""
        return self._open[client] >= self._most

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Count a stream for the duration of a block."""
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:  # no entry per client that ever came
                del self._open[client]


def bounded(receive: Receive, most: int, patience_s: float) -> Receive:
    """Wrap ``receive`` so that a body that exceeds ``most`` bytes or stalls is refused."""
    taken, complete, deadline = 0, False, time.monotonic() + patience_s + most / _SLOWEST

    async def receive_some() -> Message:
        nonlocal taken, complete
        if complete:  # later messages are disconnects, which may take long
            return await receive()
        try:
            async with asyncio.timeout(min(patience_s, max(0.0, deadline - time.monotonic()))):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, f"the body did not arrive within {patience_s:g} s; send it again") from None
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, too_large(most))
        complete = not message.get("more_body", False)
        return message

    return receive_some


def too_large(most: int) -> str:
    """Return the message about a body that is too large."""
    return f"a body may have at most {most:,} bytes; [serve] in mendel.toml sets this limit"

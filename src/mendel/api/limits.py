"""How much one client may ask for: buckets of requests, open streams, and bodies that are too large or too slow."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

_MOST_CLIENTS: Final = 10_000
_SLOWEST: Final = 64 * 1024
"""Bytes a second of a large body; one that comes more slowly is given up."""


class Buckets:
    """A bucket for each client: ``at_once`` requests fit in, and ``per_s`` flow out each second; 0 is no limit."""

    def __init__(self, per_s: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._at_once, self._clock = per_s, at_once, clock
        self._clients: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, client: str) -> float:
        """0 and one request less to go; or how long to wait for the next."""
        if not self._per_s:
            return 0.0
        now = self._clock()
        left, since = self._clients.pop(client, (float(self._at_once), now))
        left = min(float(self._at_once), left + (now - since) * self._per_s)
        allowed = left >= 1.0
        self._clients[client] = (left - 1.0 if allowed else left, now)
        if len(self._clients) > _MOST_CLIENTS:
            self._clients.popitem(last=False)
        return 0.0 if allowed else (1.0 - left) / self._per_s


class OpenStreams:
    """How many streams each client holds open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def full(self, client: str) -> bool:
        """Whether one more is too many."""
        return self._open[client] >= self._most

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """Count one for as long as it is open."""
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]


def bounded(receive: Receive, most: int, patience_s: float) -> Receive:
    """``receive``, where a body of more than ``most`` bytes, or one that does not come, ends in a refusal."""
    taken, complete, deadline = 0, False, time.monotonic() + patience_s + most / _SLOWEST

    async def receive_some() -> Message:
        nonlocal taken, complete
        if complete:
            return await receive()
        try:
            async with asyncio.timeout(min(patience_s, max(0.0, deadline - time.monotonic()))):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, f"the body did not come within {patience_s:g} s; send it again") from None
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, too_large(most))
        complete = not message.get("more_body", False)
        return message

    return receive_some


def too_large(most: int) -> str:
    """What is said of a body that is."""
    return f"a body here has at most {most:,} bytes; [serve] in mendel.toml sets that"

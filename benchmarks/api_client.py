"""Clients of a stream: `python -m benchmarks.api_client ADDRESS CONNECTIONS FILE`.

Prints "ready" when all are connected, reads the last event's number from stdin, and ends when every connection has
received that event. The events of each connection and their times are written to FILE-0, FILE-1, …
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from array import array
from functools import partial
from pathlib import Path
from typing import cast
from urllib.parse import SplitResult, urlsplit

from benchmarks.api_sides import kept

_EVENT = re.compile(rb"^id: (\d+)\nevent: event$", re.MULTILINE)
_TAIL = 64


class Connection(asyncio.Protocol):
    """One stream: records the bytes with their times, and parses them after the run.

    Parsing during the run would use more of the two cores than the servers that are compared.
    """

    def __init__(self, address: SplitResult) -> None:
        self.ready = asyncio.get_running_loop().create_future()
        self.over = asyncio.Event()
        self._address = address
        self._came: list[tuple[int, bytes]] = []
        self._last: bytes | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request the stream."""
        at = self._address
        request = f"GET {at.path}?{at.query} HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n"
        cast("asyncio.WriteTransport", transport).write(request.encode())

    def data_received(self, data: bytes) -> None:
        """Record the received bytes with their time."""
        self._came.append((time.monotonic_ns(), data))
        if not self.ready.done():
            self._begin()
        if self._last is not None and self._last in self._tail():
            self.over.set()

    def connection_lost(self, error: Exception | None) -> None:
        """Fail :attr:`ready` if the connection closes too early, so that waiting for it ends."""
        if not self.ready.done():
            self.ready.set_exception(error or RuntimeError("the server closed the connection"))

    async def until(self, last: int) -> None:
        """Wait for the event with that number."""
        self._last = f"id: {last}\n".encode()
        if self._last not in self._tail():
            await self.over.wait()

    def pairs(self) -> array[int]:
        """Return pairs of event number and nanoseconds; an event counts once its whole frame has arrived."""
        found, rest = array("q"), b""
        for at, data in self._came:
            whole, _, rest = (rest + data).rpartition(b"\n\n")
            for event in _EVENT.finditer(whole):
                found.extend((int(event[1]), at))
        return found

    def _tail(self) -> bytes:
        return b"".join(data for _, data in self._came[-_TAIL:])

    def _begin(self) -> None:
        """Check the status of the stream, once its headers have arrived."""
        head, found, rest = self._tail().partition(b"\r\n\r\n")
        if found and b" 200 " not in head.splitlines()[0]:
            self.ready.set_exception(RuntimeError(f"refused: {head.decode()} {rest.decode()}"))
        elif found:
            self.ready.set_result(None)


async def main(address: str, connections: int, target: str) -> None:
    """Watch until every connection has received the event with the number on standard input."""
    at = urlsplit(address)
    watching = [Connection(at) for _ in range(connections)]
    for each in watching:
        await asyncio.get_running_loop().create_connection(partial(_same, each), at.hostname or "", at.port or 80)
    await asyncio.gather(*(each.ready for each in watching))
    print("ready", flush=True)
    last = int(await asyncio.to_thread(sys.stdin.readline))
    await asyncio.gather(*(each.until(last) for each in watching))
    for number, each in enumerate(watching):
        kept(Path(f"{target}-{number}"), each.pairs())


def _same(connection: Connection) -> Connection:
    return connection


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))

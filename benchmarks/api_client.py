"""Clients of a stream: `python -m benchmarks.api_client ADDRESS CONNECTIONS FILE`.

Says "ready" when all are connected, is told the last event's number, and ends when every connection has seen it; what
each has seen, and when, goes to FILE-0, FILE-1, …
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
from array import array
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.api_sides import kept

_ID = re.compile(rb"^id: (\d+)\nevent: event$", re.MULTILINE)


class Connection:
    """One stream: reads, and notes which events came when."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.pairs = array("q")
        self.last = -1
        self._changed = changed

    async def open(self, address: str) -> asyncio.StreamReader:
        """Connect, and read to the end of the headers."""
        parts = urlsplit(address)
        reader, self._writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**22)
        self._writer.write(f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.splitlines()[0]:
            raise RuntimeError(f"refused: {head.decode()} {(await reader.read(2_000)).decode()}")
        return reader

    async def read(self, reader: asyncio.StreamReader) -> None:
        """Note what comes; an event counts when its whole frame is here."""
        rest = b""
        while chunk := await reader.read(2**18):
            now = time.monotonic_ns()
            whole, _, rest = (rest + chunk).rpartition(b"\n\n")
            for found in _ID.finditer(whole):
                self.last = int(found[1])
                self.pairs.extend((self.last, now))
            self._changed()


async def main(address: str, connections: int, target: str) -> None:
    """Watch until all have seen the event whose number is told on standard input."""
    changed = asyncio.Event()
    watching = [Connection(changed.set) for _ in range(connections)]
    readers = [await each.open(address) for each in watching]
    reading = [asyncio.create_task(each.read(reader)) for each, reader in zip(watching, readers, strict=True)]
    print("ready", flush=True)
    last = int(await asyncio.to_thread(sys.stdin.readline))
    while any(each.last < last for each in watching):
        changed.clear()
        await changed.wait()
    for task in reading:
        task.cancel()
    for number, each in enumerate(watching):
        kept(Path(f"{target}-{number}"), each.pairs)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))

"""The process that remembers what was acknowledged: `python -m tests.chaos.keeper SOCKET RECORD`.

It shares nothing with the writers but a socket, and appends whatever they send to its record, line by line. What a
writer sent before it died is in the kernel's hands, so it is recorded too; then the writer is recorded as gone.
"""

from __future__ import annotations

import os
import selectors
import socket
import sys
from dataclasses import dataclass
from pathlib import Path

import orjson


@dataclass
class _Peer:
    """One writer's connection; ``rest`` is the beginning of a line whose end has not come yet."""

    number: int | None = None
    rest: bytes = b""


class Keeper:
    def __init__(self, name: str, record: Path) -> None:
        self._record = os.open(record, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._selector = selectors.DefaultSelector()
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(address(name))
        self._listener.listen()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(sys.stdin, selectors.EVENT_READ)

    def run(self) -> None:
        """Keep until whoever started us is gone."""
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is sys.stdin:
                    return
                if key.fileobj is self._listener:
                    self._selector.register(self._listener.accept()[0], selectors.EVENT_READ, _Peer())
                elif isinstance(key.fileobj, socket.socket):
                    self._take(key.fileobj, key.data)

    def _take(self, connection: socket.socket, peer: _Peer) -> None:
        data = connection.recv(1 << 18)
        if not data:
            self._selector.unregister(connection)
            connection.close()
            self._write(orjson.dumps({"kind": "gone", "writer": peer.number}) + b"\n")
            return
        whole, _, peer.rest = (peer.rest + data).rpartition(b"\n")
        if not whole:
            return
        if peer.number is None:
            peer.number = orjson.loads(whole.split(b"\n", 1)[0])["writer"]
        self._write(whole + b"\n")

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._record, data) :]


def address(name: str) -> str:
    """An abstract socket: it needs no file, and ends with its owner."""
    return f"\0{name}"


if __name__ == "__main__":
    Keeper(sys.argv[1], Path(sys.argv[2])).run()

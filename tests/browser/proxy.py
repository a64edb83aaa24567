"""A wire between browser and server that a test can cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Wire:
    """Passes bytes on to a port of this machine; ``cut`` breaks every connection, new ones too, until ``mend``."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._joined: set[socket.socket] = set()
        self._whole = True
        self.cuts = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.cut()
        self._listening.close()

    def cut(self) -> None:
        """Nobody gets through any more."""
        with self._lock:
            self._whole = False
            joined, self._joined = self._joined, set()
        self.cuts += len(joined) // 2
        for each in joined:
            _close(each)

    def mend(self) -> None:
        """Whoever connects from now on gets through."""
        with self._lock:
            self._whole = True

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                asking, _ = self._listening.accept()
                threading.Thread(target=self._join, args=(asking,), daemon=True).start()

    def _join(self, asking: socket.socket) -> None:
        try:
            answering = socket.create_connection(("127.0.0.1", self._target))
        except OSError:
            _close(asking)
            return
        with self._lock:
            if self._whole:
                self._joined |= {asking, answering}
        if asking not in self._joined:
            _close(asking)
            _close(answering)
            return
        threading.Thread(target=_pass_on, args=(answering, asking), daemon=True).start()
        _pass_on(asking, answering)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    _close(source)
    _close(target)


def _close(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()

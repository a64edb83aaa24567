"""Connections for httpx's pool, made of asyncio's streams.

The pool's default uses anyio, which enters a scope on every read and write, and queries a socket's addresses to check
whether it is still open: a quarter of the processor time of a call. Timeouts are ignored here; the caller bounds the
whole request.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any, Final

import httpcore2
from httpcore2 import SOCKET_OPTION

_NEXT_ADDRESS_AFTER_S: Final = 0.25
"""Seconds after which the next address of a host is tried too, as RFC 8305 recommends."""


class AsyncioStream(httpcore2.AsyncNetworkStream):
    """One connection to a provider or its proxy."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002 - the pool's
        """Return data as soon as any has arrived; empty at the end of the stream."""
        try:
            return await self._reader.read(max_bytes)
        except (OSError, ssl.SSLError) as error:
            raise httpcore2.ReadError(str(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002 - the pool's
        """Send data, as fast as the other side accepts it."""
        if not buffer:
            return
        try:
            self._writer.write(buffer)
            await self._writer.drain()
        except (OSError, ssl.SSLError) as error:
            raise httpcore2.WriteError(str(error)) from error

    async def aclose(self) -> None:
        """Close the connection without waiting for the other side's acknowledgement."""
        self._writer.close()
        await asyncio.sleep(0)
        self._writer.transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002 - the pool's
    ) -> httpcore2.AsyncNetworkStream:
        """Encrypt this connection, after verifying the server's certificate."""
        try:
            await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except (OSError, ssl.SSLError) as error:
            await self.aclose()
            raise httpcore2.ConnectError(str(error)) from error
        return self

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - the pool's
        """Return a property; for an idle connection ``is_readable`` means that the other side has closed it."""
        if info == "is_readable":
            return self._reader.at_eof() or self._writer.is_closing()
        return self._writer.get_extra_info(info)


class AsyncioBackend(httpcore2.AsyncNetworkBackend):
    """Opens TCP connections."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the pool's
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,  # noqa: ARG002 - never set here
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first of the host's addresses that responds."""
        local = (local_address, 0) if local_address is not None else None
        try:
            opened = asyncio.open_connection(host, port, local_addr=local, happy_eyeballs_delay=_NEXT_ADDRESS_AFTER_S)
            return AsyncioStream(*await opened)
        except (OSError, UnicodeError) as error:  # UnicodeError: the host's name cannot be encoded
            raise httpcore2.ConnectError(str(error)) from error

    async def sleep(self, seconds: float) -> None:
        """Sleep."""
        await asyncio.sleep(seconds)

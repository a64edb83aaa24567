"""HTTP posts over persistent connections: httpx's connection pool without its client.

httpx2 continues httpx and is what the provider SDKs use. httpx 0.28 iterates over all connections of its pool on every
call, which doubled the processor time of a call at 64 connections. The client of either version rebuilds, merges and
copies on every call settings that never change here: another third.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.request import getproxies, proxy_bypass

import httpcore2
import httpx2

from mendel.adapters.models.streams import AsyncioBackend
from mendel.adapters.models.trust import authorities
from mendel.ports.model_wire import WireFailed

PLAIN: Final = "identity"
_ANY_HEADER: Final = 32 + zlib.MAX_WBITS  # gzip or zlib, detected by zlib
_KEPT_S: Final = 5.0
"""Seconds that an idle connection is kept; every provider keeps it at least as long."""

_BROKEN: Final = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,
    httpcore2.UnsupportedProtocol,
)


@dataclass(frozen=True, slots=True)
class Posted:
    """A response; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Posts:
    """Posts to one base URL, through the environment's proxy if one is set; follows no redirects.

    Raises:
        WireFailed: the base URL or the proxy's URL is invalid.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str], connections: int) -> None:
        try:
            self._base = httpx2.URL(base_url.rstrip("/"))
            self._host = self._base.netloc
            proxy = _proxy_for(self._base)
        except (httpx2.InvalidURL, ValueError):
            raise WireFailed("not_configured", "the base URL is not a valid URL", unsent=True) from None
        if self._base.scheme not in ("http", "https") or not self._base.host:
            raise WireFailed("not_configured", "the base URL is not http or https", unsent=True)
        self._headers = [
            (b"host", self._host),
            (b"accept-encoding", PLAIN.encode()),  # otherwise the size limit would apply to compressed bytes
            *((name.encode(), value.encode()) for name, value in {**_credentials(self._base), **headers}.items()),
        ]
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=authorities(),
            proxy=proxy,
            max_connections=connections,
            max_keepalive_connections=connections,
            keepalive_expiry=_KEPT_S,
            network_backend=AsyncioBackend(),
        )

    async def post(self, path: str, body: bytes, most: int) -> Posted:
        """Send a body, and read the answer up to ``most`` bytes.

        Raises:
            WireFailed: the server was unreachable, the connection broke, or the answer is too large or undecodable.
        """
        request = httpcore2.Request(
            "POST",
            self._url(path),
            headers=[*self._headers, (b"content-length", str(len(body)).encode())],
            content=body,
        )
        try:
            response = await self._pool.handle_async_request(request)
            try:
                return await _read(response, most)
            finally:
                await response.aclose()
        except _BROKEN as error:
            raise _not_reached(error) from None  # its message may contain a header with the key

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    def _url(self, path: str) -> httpcore2.URL:
        base = self._base
        target = base.raw_path.rstrip(b"/") + path.encode()
        return httpcore2.URL(scheme=base.raw_scheme, host=base.raw_host, port=base.port, target=target)


async def _read(response: httpcore2.Response, most: int) -> Posted:
    came = await bounded(response.aiter_stream(), most)
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
    body = unpacked(came, headers.get("content-encoding", PLAIN).lower(), most)
    return Posted(response.status, headers, body)


async def bounded(parts: AsyncIterator[bytes], most: int) -> bytes:
    """Read a stream to its end.

    Raises:
        WireFailed: it has more than ``most`` bytes.
    """
    came, size = [], 0
    async for part in parts:
        size += len(part)
        if size > most:
            raise _too_large(most)
        came.append(part)
    return b"".join(came)


def unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """Decompress the body of a provider that compresses unrequested, to at most ``most`` bytes.

    Raises:
        WireFailed: it is larger, or cannot be decompressed.
    """
    if encoding == PLAIN:
        return body
    if encoding not in ("gzip", "deflate"):
        raise WireFailed("unreadable", "the answer has an unexpected content encoding")
    unpacking = zlib.decompressobj(wbits=_ANY_HEADER)
    try:
        whole = unpacking.decompress(body, most + 1)  # one byte more shows that it is too large
    except zlib.error:
        raise WireFailed("unreadable", "the answer cannot be decompressed") from None
    if len(whole) > most:
        raise _too_large(most)
    return whole


def _too_large(most: int) -> WireFailed:
    return WireFailed("answer_too_large", f"the answer is larger than {most:,} bytes")


def _not_reached(error: Exception) -> WireFailed:
    """Report only the kind of the library's error: its message may contain secrets."""
    refused = isinstance(error, httpcore2.ConnectError)
    what = "the server cannot be reached" if refused else f"the connection broke ({type(error).__name__})"
    return WireFailed("connection", what, unsent=refused)


def _credentials(base: httpx2.URL) -> dict[str, str]:
    """Return an authorization header for credentials in the URL, if it has any."""
    if not base.userinfo:
        return {}
    request = next(httpx2.BasicAuth(base.username, base.password).auth_flow(httpx2.Request("POST", base)))
    return {"authorization": request.headers["authorization"]}


def _proxy_for(base: httpx2.URL) -> httpcore2.Proxy | None:
    """Return the proxy that the environment sets for this host, if any."""
    known = getproxies()
    named = known.get(base.scheme) or known.get("all")
    if not named or proxy_bypass(base.host):
        return None
    proxy = httpx2.Proxy(named if "://" in named else f"http://{named}")
    url = httpcore2.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=b"/")
    return httpcore2.Proxy(url, auth=proxy.raw_auth, ssl_context=authorities() if url.scheme == b"https" else None)

"""Questions posted over connections that are kept: httpx's pool without its client.

httpx2 is httpx as it goes on, and what the provider SDKs use. httpx 0.28 walks every connection of its pool for every
call: with 64 at once a call took twice the processor time. The client of either builds, merges and copies for every
call what never changes here: another third.
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
_ANY_HEADER: Final = 32 + zlib.MAX_WBITS
_KEPT_S: Final = 5.0
"""So long a connection waits to be used again, which every provider's allow."""

_BROKEN: Final = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.ProxyError,
    httpcore2.TimeoutException,
    httpcore2.UnsupportedProtocol,
)


@dataclass(frozen=True, slots=True)
class Posted:
    """What came back; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Posts:
    """Posts to one base URL, through the environment's proxy where it names one; no redirect is followed.

    Raises:
        WireFailed: the base URL is none, or the proxy's.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str], connections: int) -> None:
        try:
            self._base = httpx2.URL(base_url.rstrip("/"))
            self._host = self._base.netloc
            proxy = _proxy_for(self._base)
        except (httpx2.InvalidURL, ValueError):
            raise WireFailed("not_configured", "the base URL is no URL", unsent=True) from None
        if self._base.scheme not in ("http", "https") or not self._base.host:
            raise WireFailed("not_configured", "the base URL is not http or https", unsent=True)
        self._headers = [
            (b"host", self._host),
            (b"accept-encoding", PLAIN.encode()),  # what is bounded is what is read
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
        """Send, and read the answer up to ``most`` bytes.

        Raises:
            WireFailed: nobody was reached, the connection broke, or the answer is larger or cannot be unpacked.
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
            raise _not_reached(error) from None  # its message may hold a header, and that the key

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
    """All that comes.

    Raises:
        WireFailed: it is more than ``most`` bytes.
    """
    came, size = [], 0
    async for part in parts:
        size += len(part)
        if size > most:
            raise _too_large(most)
        came.append(part)
    return b"".join(came)


def unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """The body of a provider that compresses unasked, and not a byte more of it than is allowed.

    Raises:
        WireFailed: it is larger, or cannot be unpacked.
    """
    if encoding == PLAIN:
        return body
    if encoding not in ("gzip", "deflate"):
        raise WireFailed("unreadable", "the answer is compressed in a way that nobody asked for")
    unpacking = zlib.decompressobj(wbits=_ANY_HEADER)
    try:
        whole = unpacking.decompress(body, most + 1)
    except zlib.error:
        raise WireFailed("unreadable", "the answer cannot be decompressed") from None
    if len(whole) > most:
        raise _too_large(most)
    return whole


def _too_large(most: int) -> WireFailed:
    return WireFailed("answer_too_large", f"the answer is larger than {most:,} bytes")


def _not_reached(error: Exception) -> WireFailed:
    """Of the library's errors only the kind is told."""
    refused = isinstance(error, httpcore2.ConnectError)
    what = "nobody can be reached there" if refused else f"the connection broke ({type(error).__name__})"
    return WireFailed("connection", what, unsent=refused)


def _credentials(base: httpx2.URL) -> dict[str, str]:
    """Those of the URL itself, where it has any."""
    if not base.userinfo:
        return {}
    request = next(httpx2.BasicAuth(base.username, base.password).auth_flow(httpx2.Request("POST", base)))
    return {"authorization": request.headers["authorization"]}


def _proxy_for(base: httpx2.URL) -> httpcore2.Proxy | None:
    """Whom the environment sends calls to this host through."""
    known = getproxies()
    named = known.get(base.scheme) or known.get("all")
    if not named or proxy_bypass(base.host):
        return None
    proxy = httpx2.Proxy(named if "://" in named else f"http://{named}")
    url = httpcore2.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=b"/")
    return httpcore2.Proxy(url, auth=proxy.raw_auth, ssl_context=authorities() if url.scheme == b"https" else None)

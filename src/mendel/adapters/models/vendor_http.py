"""One HTTP call per request, for every vendor's SDK: counted, bounded, and kept as it was received.

An SDK never opens a connection itself. It gets a client with the transport :class:`OneCall` (or an adapter to it, if it
uses another HTTP library). A second call for the same request is refused before anything is sent, so that no
retry, redirect or continuation inside an SDK can cause uncounted costs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final

import httpx2

from mendel.adapters.models.posting import PLAIN, bounded, unpacked
from mendel.adapters.models.trust import authorities
from mendel.contracts.model_calls import CallLimits
from mendel.ports.model_wire import WireFailed

REDIRECT: Final = 300  # lowest status that is not a success
_NO_CLOCK: Final = {"connect": None, "read": None, "write": None, "pool": None}
"""The request as a whole has a timeout; an SDK's own timeouts would only obscure which limit expired."""


class NotSent(httpx2.TransportError):
    """A refused call of an SDK; its message has no details, because an SDK may log it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Exchange:
    """One request: the number of calls that an SDK attempted (only the first is made), and the result."""

    limits: CallLimits
    loop: asyncio.AbstractEventLoop
    wished: int = 0
    reply: Reply | None = None
    failed: WireFailed | None = None
    over: bool = False
    waiting: Future[Reply] | None = field(default=None, repr=False)

    def begin(self) -> None:
        """Count a call before it is made.

        Raises:
            NotSent: it is not the first, or the request was given up meanwhile.
        """
        self.wished += 1
        if self.wished > 1 or self.over:
            raise NotSent("a request may make only one call")

    def fail(self, failed: WireFailed) -> NotSent:
        """Store the reason for the missing reply; return the exception for the SDK."""
        self.failed = failed
        return NotSent(failed.reason)


_CURRENT: ContextVar[Exchange | None] = ContextVar("mendel_exchange", default=None)


@contextmanager
def exchange(limits: CallLimits) -> Iterator[Exchange]:
    """Attribute the calls made inside to one request, in this task and in the threads that it waits for."""
    current = Exchange(limits, asyncio.get_running_loop())
    token = _CURRENT.set(current)
    try:
        yield current
    finally:
        _CURRENT.reset(token)
        current.over = True
        if current.waiting is not None:
            current.waiting.cancel()  # the thread of an SDK would otherwise wait for ever


def current_exchange() -> Exchange:
    """Return the request that is in progress in this context.

    Raises:
        NotSent: there is none, or its caller no longer waits; calls without a request are never sent.
    """
    current = _CURRENT.get()
    if current is None or current.over:
        raise NotSent("no request is in progress")
    return current


class OneCall(httpx2.AsyncBaseTransport):
    """Makes the only call of a request. Owns the connections; uses the environment's proxies, follows no redirects.

    ``shown`` maps the body of an answer to the version that the SDK receives; the exchange keeps the original.
    """

    def __init__(self, connections: int, shown: Callable[[bytes], bytes]) -> None:
        self._shown = shown
        self._client = httpx2.AsyncClient(
            verify=authorities(),
            timeout=None,  # the whole request has a timeout, which also stops an answer that drips
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=False,
        )

    def client(self) -> httpx2.AsyncClient:
        """Make a client for an SDK, over this transport."""
        return httpx2.AsyncClient(
            transport=self, verify=authorities(), timeout=httpx2.Timeout(3_600.0), follow_redirects=False
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make the call for an SDK that uses httpx2; it receives the whole answer at once."""
        reply = await self.send(request, current_exchange())
        return httpx2.Response(reply.status, headers=dict(reply.headers), content=reply.body, request=request)

    async def send(self, request: httpx2.Request, asked: Exchange) -> Reply:
        """Make the call, if it is the first of its request; return the reply for the SDK.

        Raises:
            NotSent: it is not the first, or no whole reply came; the exchange has the reason.
        """
        asked.begin()
        request.headers["accept-encoding"] = PLAIN  # otherwise the size limit would apply to compressed bytes
        request.extensions = {**request.extensions, "timeout": _NO_CLOCK}
        try:
            asked.reply = await self._received(request, asked.limits.answer_bytes)
        except WireFailed as failed:
            raise asked.fail(failed) from None
        except httpx2.HTTPError as error:
            raise asked.fail(_not_reached(error)) from None  # its message may contain a header with the key
        except httpx2.InvalidURL:
            raise asked.fail(WireFailed("not_configured", "the base URL is not a valid URL", unsent=True)) from None
        came = asked.reply
        return replace(came, body=self._shown(came.body)) if came.status < REDIRECT else came

    async def _received(self, request: httpx2.Request, most: int) -> Reply:
        response = await self._client.send(request, stream=True)
        try:
            came = await bounded(response.aiter_raw(), most)
            body = unpacked(came, response.headers.get("content-encoding", PLAIN).lower(), most)
            return Reply(response.status_code, _plain(response.headers), body)
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        await self._client.aclose()


_OF_THE_TRANSFER: Final = frozenset(
    {"transfer-encoding", "content-encoding", "content-length", "connection", "set-cookie"}
)


def _plain(headers: httpx2.Headers) -> dict[str, str]:
    """Drop the headers about the transfer, which no longer apply once the body has been read."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in _OF_THE_TRANSFER}


def _not_reached(error: httpx2.HTTPError) -> WireFailed:
    """Report only the kind of the library's error: its message may contain secrets."""
    if isinstance(error, httpx2.UnsupportedProtocol):
        return WireFailed("not_configured", "the base URL is not http or https", unsent=True)
    refused = isinstance(error, httpx2.ConnectError)
    what = "the server cannot be reached" if refused else f"the connection broke ({type(error).__name__})"
    return WireFailed("connection", what, unsent=refused)

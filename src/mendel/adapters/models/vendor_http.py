"""One HTTP call for one question, whoever's SDK wishes to make it: counted, bounded, and seen as it came.

An SDK never opens a connection of its own. It is given a client whose transport is :class:`OneCall` (or, if it has
another HTTP library, a door that leads there); a second call for the same question is refused before anything is sent,
so that no retry, redirect or continuation of an SDK can spend what nobody counted.
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

REDIRECT: Final = 300
_NO_CLOCK: Final = {"connect": None, "read": None, "write": None, "pool": None}
"""The question as a whole has a time; an SDK's own limits only blur what ran out."""


class NotSent(httpx2.TransportError):
    """A call that an SDK wished for and did not get; says nothing, for an SDK may log it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, whole. Names of headers are lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Exchange:
    """One question: how many calls an SDK wished to make for it (only the first was made), and what came of it."""

    limits: CallLimits
    loop: asyncio.AbstractEventLoop
    wished: int = 0
    reply: Reply | None = None
    failed: WireFailed | None = None
    over: bool = False
    waiting: Future[Reply] | None = field(default=None, repr=False)

    def begin(self) -> None:
        """Count a call.

        Raises:
            NotSent: it is not the first, or the question was given up meanwhile.
        """
        self.wished += 1
        if self.wished > 1 or self.over:
            raise NotSent("one question is one call")

    def fail(self, failed: WireFailed) -> NotSent:
        """Keep why there is no reply; what an SDK is told in its stead."""
        self.failed = failed
        return NotSent(failed.reason)


_CURRENT: ContextVar[Exchange | None] = ContextVar("mendel_exchange", default=None)


@contextmanager
def exchange(limits: CallLimits) -> Iterator[Exchange]:
    """The question that calls made inside belong to, in this task and in threads that it waits for."""
    current = Exchange(limits, asyncio.get_running_loop())
    token = _CURRENT.set(current)
    try:
        yield current
    finally:
        _CURRENT.reset(token)
        current.over = True
        if current.waiting is not None:
            current.waiting.cancel()


def current_exchange() -> Exchange:
    """The question that is being asked here.

    Raises:
        NotSent: there is none, or nobody waits for its answer any more; nothing is sent that nobody asked.
    """
    current = _CURRENT.get()
    if current is None or current.over:
        raise NotSent("no question is being asked")
    return current


class OneCall(httpx2.AsyncBaseTransport):
    """Makes the one call of a question. Owns the connections; environment proxies are honoured, redirects are not.

    ``shown`` is what an SDK is shown of an answer's body; the exchange keeps what came.
    """

    def __init__(self, connections: int, shown: Callable[[bytes], bytes]) -> None:
        self._shown = shown
        self._client = httpx2.AsyncClient(
            verify=authorities(),
            timeout=None,  # the whole question is bounded, however steadily an answer drips
            limits=httpx2.Limits(max_connections=connections, max_keepalive_connections=connections),
            follow_redirects=False,
        )

    def client(self) -> httpx2.AsyncClient:
        """A client for an SDK, over this transport."""
        return httpx2.AsyncClient(
            transport=self, verify=authorities(), timeout=httpx2.Timeout(3_600.0), follow_redirects=False
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Make the call for an SDK on httpx2; it gets the answer whole."""
        reply = await self.send(request, current_exchange())
        return httpx2.Response(reply.status, headers=dict(reply.headers), content=reply.body, request=request)

    async def send(self, request: httpx2.Request, asked: Exchange) -> Reply:
        """Make the call, if it is the first for its question; what an SDK is shown of the answer.

        Raises:
            NotSent: it is not, or no whole reply came; the exchange has the reason.
        """
        asked.begin()
        request.headers["accept-encoding"] = PLAIN  # what is bounded is what is read
        request.extensions = {**request.extensions, "timeout": _NO_CLOCK}
        try:
            asked.reply = await self._received(request, asked.limits.answer_bytes)
        except WireFailed as failed:
            raise asked.fail(failed) from None
        except httpx2.HTTPError as error:
            raise asked.fail(_not_reached(error)) from None  # its message may hold a header, and that the key
        except httpx2.InvalidURL:
            raise asked.fail(WireFailed("not_configured", "the base URL is no URL", unsent=True)) from None
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
    """The headers that still say something of a body that is read."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in _OF_THE_TRANSFER}


def _not_reached(error: httpx2.HTTPError) -> WireFailed:
    """Of the library's errors only the kind is told."""
    if isinstance(error, httpx2.UnsupportedProtocol):
        return WireFailed("not_configured", "the base URL is not http or https", unsent=True)
    refused = isinstance(error, httpx2.ConnectError)
    what = "nobody can be reached there" if refused else f"the connection broke ({type(error).__name__})"
    return WireFailed("connection", what, unsent=refused)

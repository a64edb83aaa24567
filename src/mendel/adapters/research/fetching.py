"""``fetch_url``: reads one page of the public Internet for a model that must not reach private networks.

The name is resolved here, all of its addresses are checked, and the connection goes to one of exactly these: a second
resolution could return another address. A redirect is a new address, and is checked in the same way.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Final

import httpx2

from mendel.adapters.research.addresses import IPAddress, Reach, is_public_name, literal
from mendel.adapters.research.bodies import ENCODINGS, BodyRefused, body_of, text_in
from mendel.adapters.research.page_text import page_text
from mendel.adapters.research.web import failure_of
from mendel.contracts.retrieval import MAX_TOOL_TEXT, plain_text
from mendel.ports.research import ToolFailed

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name in the order in which to try them; raises OSError if it has none."""

MAX_URL: Final = 2_000  # characters
MOST_ADDRESSES: Final = 16
"""Maximum number of addresses of a name: all of them must be checked, so a name with more is refused."""
TRIED: Final = 3  # addresses per page
TRUSTS_NOBODY: Final = SSLContext(PROTOCOL_TLS_CLIENT)
"""A TLS context for connections without TLS: loading the system's certificates would be slow."""
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_AUTHORITY: Final = re.compile(r"https?://([^/?#\\]+)(?:[/?#]|\Z)", re.IGNORECASE | re.ASCII)
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})
_JSON: Final = re.compile(r"application/(json|[a-z0-9.+-]+\+json)")
_CHARSET: Final = re.compile(r"charset=([^;]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """Limits for one page, including its redirects. ``body_bytes`` counts decompressed bytes."""

    timeout_s: float = 20.0
    connect_s: float = 5.0
    body_bytes: int = 2 * 1024 * 1024
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Page:
    """The text of a page; ``url`` is its address after redirects."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class _Target:
    """A checked address: the connection may go only to ``addresses``."""

    url: httpx2.URL
    addresses: tuple[IPAddress, ...]
    named: bool


async def by_system(host: str, port: int) -> Sequence[str]:
    """Resolve a name with the system's resolver.

    Raises:
        OSError: the name has no address.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(each[4][0]) for each in found]


class Fetcher:
    """Reads public pages: without cookies, credentials or proxies, and with a new connection for each page."""

    def __init__(
        self,
        *,
        reach: Reach = Reach(),  # noqa: B008 - frozen
        resolve: Resolve = by_system,
        limits: FetchLimits = FetchLimits(),  # noqa: B008 - frozen
        tls: SSLContext | None = None,
    ) -> None:
        self._reach = reach
        self._resolve = resolve
        self._limits = limits
        self._given_tls = tls

    async def fetch(self, address: str) -> Page:
        """Return the page at ``address``.

        Raises:
            ToolFailed: the page must not or cannot be read.
        """
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                return await self._followed(address)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise ToolFailed("timeout", f"the page did not come in {self._limits.timeout_s:g} seconds") from error
        except BodyRefused as error:
            raise ToolFailed(error.reason, str(error)) from error
        except httpx2.HTTPError as error:
            raise ToolFailed("connection", "the connection to the server failed") from error

    async def _followed(self, address: str) -> Page:
        for _ in range(self._limits.redirects + 1):
            target = await self._target(address)
            found = await self._read(target)
            if isinstance(found, Page):
                return found
            address = found
        raise ToolFailed("too_many_redirects", f"the page redirects more than {self._limits.redirects} times")

    # --- checking the address ----------------------------------------------------------------------------------

    async def _target(self, address: str) -> _Target:
        url = _parsed(address)
        port = url.port if url.port is not None else {"http": 80, "https": 443}[url.scheme]
        if port not in self._reach.ports:
            raise ToolFailed("address_refused", f"port {port} is not one of {sorted(self._reach.ports)}")
        host = url.raw_host.decode("ascii").removesuffix(".")  # a trailing dot names the same host
        spelled = literal(host)
        if spelled is not None:
            return _Target(url, self._all_allowed([spelled]), named=False)
        if not is_public_name(host):
            raise ToolFailed("address_refused", "the host is no public name")
        return _Target(url, self._all_allowed(await self._resolved(host, port)), named=True)

    async def _resolved(self, host: str, port: int) -> Sequence[IPAddress | None]:
        try:
            found = dict.fromkeys(await self._resolve(host, port))
        except (OSError, UnicodeError) as error:
            raise ToolFailed("connection", "the host has no address") from error
        if not 0 < len(found) <= MOST_ADDRESSES:
            raise ToolFailed("connection", "the host has no address, or too many")
        return [literal(each) for each in found]

    def _all_allowed(self, addresses: Sequence[IPAddress | None]) -> tuple[IPAddress, ...]:
        """Return all addresses if every one is allowed: a name that also points inside is not trusted at all."""
        allowed = tuple(each for each in addresses if each is not None and self._reach.allows(each))
        if len(allowed) < len(addresses):
            raise ToolFailed("address_refused", "the host is not on the public Internet")
        return allowed

    # --- the HTTP exchange -------------------------------------------------------------------------------------

    async def _read(self, target: _Target) -> Page | str:
        """Return the page, or the address it redirects to; try the host's next address if one is unreachable."""
        *others, last = target.addresses[:TRIED]
        for address in others:
            try:
                return await self._exchanged(target, address)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue
        return await self._exchanged(target, last)

    async def _exchanged(self, target: _Target, address: IPAddress) -> Page | str:
        one = httpx2.Limits(max_connections=1, max_keepalive_connections=0)
        tls = self._tls if target.url.scheme == "https" else TRUSTS_NOBODY
        async with httpx2.AsyncHTTPTransport(verify=tls, trust_env=False, limits=one) as transport:
            response = await transport.handle_async_request(self._request(target, address))
            try:
                return await self._understood(target.url, response)
            finally:
                await response.aclose()

    def _request(self, target: _Target, address: IPAddress) -> httpx2.Request:
        """Build a request to exactly this address; the name appears only in the header and the TLS handshake."""
        headers = {
            "Host": target.url.netloc.decode("ascii"),
            "Accept": "text/html, text/*;q=0.9, application/json;q=0.8",
            "Accept-Encoding": ENCODINGS,
            "User-Agent": "mendel",
            "Connection": "close",
        }
        extensions: dict[str, object] = {"timeout": {"connect": self._limits.connect_s}}
        if target.named:
            extensions["sni_hostname"] = target.url.raw_host.decode("ascii").removesuffix(".")
        url = target.url.copy_with(host=str(address), fragment=None)
        return httpx2.Request("GET", url, headers=headers, extensions=extensions)

    @cached_property
    def _tls(self) -> SSLContext:
        return self._given_tls or httpx2.create_ssl_context(trust_env=False)

    async def _understood(self, url: httpx2.URL, response: httpx2.Response) -> Page | str:
        if response.status_code in _REDIRECTS:
            return _redirected(url, response.headers.get("location", ""))
        if not response.is_success:
            raise ToolFailed(failure_of(response.status_code), f"the server answered {response.status_code}")
        kind, charset = _content_type(response.headers.get("content-type", ""))
        if not kind.startswith("text/") and kind not in _HTML and not _JSON.fullmatch(kind):
            raise ToolFailed("content_refused", "the page is neither text nor HTML nor JSON")
        text = text_in(await body_of(response, self._limits.body_bytes), charset)
        if kind in _HTML:
            # In a thread: parsing a large page takes a while.
            text = await asyncio.to_thread(page_text, text, MAX_TOOL_TEXT)
        return Page(str(url), plain_text(text, MAX_TOOL_TEXT))


def _parsed(address: str) -> httpx2.URL:
    authority = _AUTHORITY.match(address)
    if authority is None or len(address) > MAX_URL or not address.isprintable() or " " in address:
        raise ToolFailed(
            "address_refused", "only addresses that begin with http:// or https:// and name a host are read"
        )
    if "@" in authority[1] or "%" in authority[1]:
        raise ToolFailed("address_refused", "an address has no user, no password and no escapes in its host")
    try:
        return httpx2.URL(address)
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise ToolFailed("address_refused", "this is no address") from error


def _redirected(url: httpx2.URL, location: str) -> str:
    if not location:
        raise ToolFailed("unreadable", "the page redirects without saying where to")
    try:
        return str(url.join(location))
    except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
        raise ToolFailed("address_refused", "the page redirects to what is no address") from error


def _content_type(header: str) -> tuple[str, str | None]:
    charset = _CHARSET.search(header)
    return header.partition(";")[0].strip().lower(), charset[1] if charset else None

"""Checks before every route: host name, origin, token and rate limits.

Each check maps a request to a refusal or None; every refusal is sent as problem+json.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from fastapi import FastAPI, Request
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mendel.api.domain_paths import DomainPaths
from mendel.api.domain_services import below
from mendel.api.keyring import Keyring, bearer
from mendel.api.limits import Buckets, OpenStreams, bounded, too_large
from mendel.api.policy import Policy
from mendel.api.problems import problem
from mendel.api.sockets import ADDRESS_PARAMETERS, POLICY_VIOLATION, GuardedSocket, Rights

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_READING_POSTS: Final = frozenset({"/api/runs/estimate"})  # POST only because of the body
_FILES: Final = "/api/files"
_OPEN: Final = frozenset({"/healthz", "/readyz"})
"""Paths that never need a token, whatever the settings say."""
_STARTS: Final = ("http.response.start", "websocket.http.response.start")
_BODIES: Final = frozenset({"application/json", "application/x-ndjson", "application/octet-stream"})
"""Media types that no HTML form on another site can send (a defence against CSRF)."""
_SENT: Final = ("Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "Last-Event-ID", "X-Request-ID")
_SHOWN: Final = ("ETag", "Idempotent-Replay", "Location", "Retry-After", "X-Request-ID")

HEADERS: Final = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'self'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


@dataclass(frozen=True)
class Refusal:
    """The reason why a request is refused, and the answer to it."""

    status: int
    code: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)


def install(app: FastAPI, policy: Policy, paths: DomainPaths) -> None:
    """Put these checks before all routes of ``app``, including those of domains."""
    app.add_middleware(Gate, policy=policy, paths=paths)  # the middleware added last runs first
    if policy.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=sorted(policy.origins),
            allow_methods=["DELETE", "GET", "POST"],
            allow_headers=_SENT,
            expose_headers=_SHOWN,
        )
    app.add_middleware(Threshold, policy=policy)


class Threshold:
    """The outer check: accepts only known host names, and adds the protective headers to every answer."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] in _STARTS:
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a route may set a stricter one
            await send(message)

        request = HTTPConnection(scope)
        if self._policy.answers_to(request.headers.get("host", "")):
            await self._app(scope, receive, protected)
            return
        told = "unknown host name; use the server's address, or add the name to serve.hosts in mendel.toml"
        await _refuse(request, Refusal(421, "unknown_host", told), receive, protected)


class Gate:
    """Refuses requests that exceed a rate limit, lack a token or come from another site, and bounds their bodies."""

    def __init__(self, app: ASGIApp, policy: Policy, paths: DomainPaths) -> None:
        limits = policy.limits
        self._app, self._policy, self._limits = app, policy, limits
        self._paths, self._keys = paths, Keyring(policy, paths)
        self._writes = Buckets(limits.writes_per_s, limits.writes_at_once)
        self._reads = Buckets(limits.reads_per_s, limits.reads_at_once)
        self._streams = OpenStreams(limits.streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer with the refusal."""
        if scope["type"] == "http":
            await self._request(Request(scope), receive, send)
        elif scope["type"] == "websocket":
            await self._socket(HTTPConnection(scope), receive, send)
        else:
            await self._app(scope, receive, send)

    async def _request(self, request: Request, receive: Receive, send: Send) -> None:
        refusal = next((each for each in self._refusals(request) if each is not None), None)
        if refusal is not None:
            await _refuse(request, refusal, receive, send)
            return
        taken = bounded(receive, self._most(request), self._limits.body_timeout_s)
        if not self._is_stream(request):
            await self._app(request.scope, taken, send)
            return
        with self._streams.one(_client(request)):  # released when the stream ends, however it ends
            await self._app(request.scope, taken, send)

    def _refusals(self, request: Request) -> Iterator[Refusal | None]:
        """Yield the result of every check, in order; the first refusal counts."""
        yield self._too_often(request)  # first, so that guessing tokens is limited, too
        yield self._unknown(request)
        if _writes(request):
            yield strange(request, self._policy)
            yield unreadable(request)
        yield self._too_large(request)

    async def _socket(self, socket: HTTPConnection, receive: Receive, send: Send) -> None:
        """Open a socket; a client that needs a token and sent none in a header must send it as the first message."""
        refusal = next((each for each in self._socket_refusals(socket) if each is not None), None)
        if refusal is not None:
            await _refuse(socket, refusal, receive, send)
            return
        path, client = _path(socket), _client(socket)
        buckets = {True: self._writes, False: self._reads}
        rights = Rights(
            path,
            self._keys,
            self._paths.reading_at(path),
            too_often=lambda writes: buckets[writes].wait_s(client) > 0,
            key=self._keys.key(bearer(socket)),
        )
        guarded = GuardedSocket(receive, send, rights)
        with self._streams.one(client):
            if rights.key is not None or not self._needs_token(socket) or await guarded.admitted():
                await self._app(socket.scope, guarded.receive, guarded.send)

    def _socket_refusals(self, socket: HTTPConnection) -> Iterator[Refusal | None]:
        """Yield every check for a socket. Browsers let any page open sockets, so other sites may not even read."""
        yield self._too_often(socket)
        yield self._token_in_address(socket)
        yield strange(socket, self._policy)
        if bearer(socket) is not None:
            yield self._unknown(socket)

    def _token_in_address(self, socket: HTTPConnection) -> Refusal | None:
        """Refuse a token in the address, because addresses are logged and kept."""
        sent = socket.query_params.multi_items()
        if not any(name.lower() in ADDRESS_PARAMETERS or self._keys.key(value) is not None for name, value in sent):
            return None
        told = 'a token must not be in an address; send it as the first message: {"token": "…"}'
        return Refusal(400, "token_in_address", told)

    def _unknown(self, request: HTTPConnection) -> Refusal | None:
        """Refuse a missing or insufficient token; changes need one, and reading does if the settings say so."""
        key = self._keys.key(bearer(request))
        if key is not None:
            told = "this token is not valid for this request: it was issued for other paths, or only for reading"
            return None if key.allows(_method(request), _path(request)) else Refusal(403, "out_of_scope", told)
        if not self._needs_token(request):
            return None
        told = (
            "a token is required, the one that the server was started with: enter it on the page; other clients send"
            " `Authorization: Bearer TOKEN`"
        )
        return Refusal(401, "token_required", told, {"WWW-Authenticate": 'Bearer realm="mendel"'})

    def _needs_token(self, request: HTTPConnection) -> bool:
        """Only changes, the API and the paths of domains need a token; the page itself contains no data."""
        method, path = _method(request), _path(request)
        return (writes(method, path) or self._is_guarded(path)) and needs_token(method, path, self._policy)

    def _is_guarded(self, path: str) -> bool:
        return path.startswith("/api/") or any(below(root, path) for root in ("/metrics", *self._paths.roots))

    def _too_often(self, request: HTTPConnection) -> Refusal | None:
        client = _client(request)
        if self._is_stream(request) and self._streams.full(client):
            told = f"this client has {self._limits.streams} open streams, the limit; close one, or raise serve.streams"
            return Refusal(429, "too_many_streams", told, {"Retry-After": "5"})
        wait_s = self._wait_s(client, writes=_writes(request))
        if not wait_s:
            return None
        told = f"too many requests; retry in {ceil(wait_s)} s ([serve] in mendel.toml sets the limits)"
        return Refusal(429, "too_many_requests", told, {"Retry-After": str(ceil(wait_s))})

    def _wait_s(self, client: str, *, writes: bool) -> float:
        return (self._writes if writes else self._reads).wait_s(client)

    def _is_stream(self, request: HTTPConnection) -> bool:
        path = _path(request)
        return request.scope["type"] == "websocket" or (self._is_guarded(path) and path.endswith("/stream"))

    def _most(self, request: Request) -> int:
        return self._limits.file_bytes if _path(request) == _FILES else self._limits.body_bytes

    def _too_large(self, request: Request) -> Refusal | None:
        length, most = request.headers.get("content-length", "0"), self._most(request)
        if length.isdecimal() and int(length) <= most:  # bounded() checks the actual size
            return None
        return Refusal(413, "content_too_large", too_large(most))


async def _refuse(connection: HTTPConnection, refusal: Refusal, receive: Receive, send: Send) -> None:
    """Answer with a problem, or close the handshake of a socket if the server cannot send an answer to it."""
    scope = connection.scope
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": refusal.code})
        return
    answer = problem(connection, refusal.status, refusal.code, refusal.detail)
    answer.headers.update(refusal.headers)
    await answer(scope, receive, send)


def needs_token(method: str, path: str, policy: Policy) -> bool:
    """Whether this server requires a token for the operation at ``path``."""
    asked = may_need_token(method, path) and (writes(method, path) or policy.read_token)
    return policy.token is not None and asked


def may_need_token(method: str, path: str) -> bool:
    """Whether a server can be configured to require a token for the operation at ``path``."""
    return method != "OPTIONS" and (writes(method, path) or path not in _OPEN)


def strange(request: HTTPConnection, policy: Policy) -> Refusal | None:
    """Refuse changes from pages of other sites (CSRF); only browsers send the origin, so its absence is fine."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    told = "the request comes from another site; only the observatory's page and serve.origins are allowed"
    if origin is not None:  # Sec-Fetch-Site counts only without it
        trusted = policy.trusts(origin, request.headers.get("host", ""))
        return None if trusted else Refusal(403, "cross_site", told)
    return None if site in (None, "none", "same-origin") else Refusal(403, "cross_site", told)


def unreadable(request: Request) -> Refusal | None:
    """Refuse a body that is not declared as JSON or an export."""
    headers = request.headers
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in _BODIES:
        return None
    return Refusal(415, "unsupported_media_type", "a body must be JSON: send it with `Content-Type: application/json`")


def writes(method: str, path: str) -> bool:
    """Whether the request changes anything."""
    return method not in _READING and path not in _READING_POSTS


def _writes(request: HTTPConnection) -> bool:
    return writes(_method(request), _path(request))


def _method(request: HTTPConnection) -> str:
    """The method; a socket is opened by GET."""
    return str(request.scope.get("method", "GET"))


def _path(request: HTTPConnection) -> str:
    """The path that the routes match."""
    return str(request.scope["path"])


def _client(request: HTTPConnection) -> str:
    return request.client.host if request.client is not None else "somebody"

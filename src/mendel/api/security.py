"""What stands before every route: by which name, from which page, with which token, and how often one may come.

Each check is a function from a request to why it is refused, or to nothing; every refusal is a problem+json.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from fastapi import FastAPI, Request
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mendel.api.limits import Buckets, OpenStreams, bounded, too_large
from mendel.api.policy import Policy
from mendel.api.problems import problem

_READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_READING_POSTS: Final = frozenset({"/api/runs/estimate"})
_FILES: Final = "/api/files"
_GUARDED: Final = ("/api/", "/metrics")
_BODIES: Final = frozenset({"application/json", "application/x-ndjson", "application/octet-stream"})
"""None of them can be sent by a form of a stranger's page."""
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
    """Why a request goes no further."""

    status: int
    code: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)


def install(app: FastAPI, policy: Policy) -> None:
    """Put everything of this before the routes of ``app``."""
    app.add_middleware(Gate, policy=policy)
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
    """The outermost: answers to its own name only, and puts the headers that protect the page on every answer."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        self._app, self._policy = app, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope)
        host = request.headers.get("host", "")
        if self._policy.answers_to(host):
            await self._app(scope, receive, protected)
            return
        told = "this server is not called so; use its address, or add the name to serve.hosts in mendel.toml"
        await problem(request, 421, "unknown_host", told)(scope, receive, protected)


class Gate:
    """Refuses who comes too often, without a token, or from a stranger's page; and bounds what they send."""

    def __init__(self, app: ASGIApp, policy: Policy) -> None:
        limits = policy.limits
        self._app, self._policy, self._limits = app, policy, limits
        self._writes = Buckets(limits.writes_per_s, limits.writes_at_once)
        self._reads = Buckets(limits.reads_per_s, limits.reads_at_once)
        self._streams = OpenStreams(limits.streams)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        refusal = next((each for each in self._refusals(request) if each is not None), None)
        if refusal is not None:
            answer = problem(request, refusal.status, refusal.code, refusal.detail)
            answer.headers.update(refusal.headers)
            await answer(scope, receive, send)
            return
        taken = bounded(receive, self._most(request), self._limits.body_timeout_s)
        if not _is_stream(request):
            await self._app(scope, taken, send)
            return
        with self._streams.one(_client(request)):
            await self._app(scope, taken, send)

    def _refusals(self, request: Request) -> Iterator[Refusal | None]:
        """Every check, in order; the first that refuses counts."""
        yield self._too_often(request)
        yield unknown(request, self._policy)
        if _writes(request):
            yield strange(request, self._policy)
            yield unreadable(request)
        yield self._too_large(request)

    def _too_often(self, request: Request) -> Refusal | None:
        client = _client(request)
        if _is_stream(request) and self._streams.full(client):
            told = f"{self._limits.streams} streams are open already; close one, or raise serve.streams"
            return Refusal(429, "too_many_streams", told, {"Retry-After": "5"})
        wait_s = (self._writes if _writes(request) else self._reads).wait_s(client)
        if not wait_s:
            return None
        told = f"too many requests; the next may come in {ceil(wait_s)} s ([serve] in mendel.toml says how many may)"
        return Refusal(429, "too_many_requests", told, {"Retry-After": str(ceil(wait_s))})

    def _most(self, request: Request) -> int:
        return self._limits.file_bytes if request.url.path == _FILES else self._limits.body_bytes

    def _too_large(self, request: Request) -> Refusal | None:
        length, most = request.headers.get("content-length", "0"), self._most(request)
        if length.isdecimal() and int(length) <= most:
            return None
        return Refusal(413, "content_too_large", too_large(most))


def unknown(request: Request, policy: Policy) -> Refusal | None:
    """Who changes something, and where the settings say so who reads something, has the token."""
    if policy.token is None or not needs_token(request.method, request.url.path, policy):
        return None
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    known = policy.token.get_secret_value().encode()
    if kind.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), known):
        return None
    told = (
        "a token is needed, the one that the server was started with: the page asks for it; elsewhere send"
        " `Authorization: Bearer TOKEN`"
    )
    return Refusal(401, "token_required", told, {"WWW-Authenticate": 'Bearer realm="mendel"'})


def needs_token(method: str, path: str, policy: Policy) -> bool:
    """Whether this server lets nobody do that without a token."""
    asked = may_need_token(method, path) and (writes(method, path) or policy.read_token)
    return policy.token is not None and asked


def may_need_token(method: str, path: str) -> bool:
    """Whether a server can be told to let nobody do that without a token."""
    return method != "OPTIONS" and (writes(method, path) or path.startswith(_GUARDED))


def strange(request: Request, policy: Policy) -> Refusal | None:
    """Pages of strangers change nothing here (CSRF); browsers say where a request comes from, others need not."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    told = "another page asks for this; only the observatory's own, and those of serve.origins, may"
    if origin is not None:
        trusted = policy.trusts(origin, request.headers.get("host", ""))
        return None if trusted else Refusal(403, "cross_site", told)
    return None if site in (None, "none", "same-origin") else Refusal(403, "cross_site", told)


def unreadable(request: Request) -> Refusal | None:
    """A body says that it is JSON, or an export."""
    headers = request.headers
    if headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers:
        return None
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in _BODIES:
        return None
    return Refusal(415, "unsupported_media_type", "a body here is JSON: send it with `Content-Type: application/json`")


def writes(method: str, path: str) -> bool:
    """Whether that changes anything."""
    return method not in _READING and path not in _READING_POSTS


def _writes(request: Request) -> bool:
    return writes(request.method, request.url.path)


def _is_stream(request: Request) -> bool:
    return request.url.path.startswith("/api/") and request.url.path.endswith("/stream")


def _client(request: Request) -> str:
    return request.client.host if request.client is not None else "somebody"

"""Request ids: one per request, in its answer, in its log lines, and in the problem that it may end with.

No header, query string or body is ever logged, since any of them may contain a secret (rule 4). The log names a route
by its template, without parameter values; the path itself, shortened, is logged only for refused requests without one.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

import structlog
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = "X-Request-ID"
UNMATCHED: Final = "unmatched"
PAGE: Final = "/{path}"
"""The template of the page, which has one document for all its addresses."""
_STREAM: Final = b"text/event-stream"
_NORMAL: Final = 1000
_NO_CODE: Final = 1005  # reserved for a missing code
_LONGEST_PATH: Final = 120
_WELL_FORMED: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_RUN: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Observed = Callable[[str, str, int, float | None], None]
"""Receives the method, route template, status and duration in seconds of a finished request; for a stream, the duration
is None, because it depends only on the client."""


def _nobody(method: str, route: str, status: int, seconds: float | None) -> None:
    """Ignore the request."""


def request_id_of(scope: Scope) -> str | None:
    """Return the id of the request."""
    found = scope.get("state", {}).get("request_id")
    return found if isinstance(found, str) else None


def refused_as(scope: Scope, code: str) -> None:
    """Remember the code of the refusal for the log line of the request."""
    scope.setdefault("state", {})["refused"] = code


@dataclass
class _Answer:
    """The facts about an answer while it is sent."""

    status: int = 500
    streamed: bool = False
    began: float = field(default_factory=time.monotonic)

    def starts(self, message: Message) -> None:
        """Take the first message of the answer."""
        kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
        self.status, self.streamed = message["status"], any(kind.startswith(_STREAM) for kind in kinds)


class Correlation:
    """The outermost middleware: gives each request its id, and logs it when it is over.

    ``templates`` names the routes of requests that are refused before routing.
    """

    def __init__(self, app: ASGIApp, observed: Observed = _nobody, templates: Iterable[str] = ()) -> None:
        self._app = app
        self._observed = observed
        self._templates = [(compile_path(each)[0], each) for each in sorted(templates, key=_vague) if each != PAGE]
        self._log = structlog.get_logger(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        answer = _Answer()

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer.starts(message)
                headers = [each for each in message["headers"] if each[0].lower() != HEADER.lower().encode()]
                message["headers"] = [*headers, (HEADER.lower().encode(), request_id.encode())]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, told)
            finally:
                self._over(scope, answer, time.monotonic() - answer.began)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give a socket an id and log it when it is over; its messages are never logged."""
        request_id = _given(scope) or uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        ends: dict[str, int] = {}
        began = time.monotonic()

        async def heard() -> Message:  # the side that closes first determines the code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                ends.setdefault("closed", message.get("code") or _NO_CODE)
            return message

        async def told(message: Message) -> None:
            if message["type"] == "websocket.close":
                ends.setdefault("closed", message.get("code") or _NORMAL)
            elif message["type"] == "websocket.http.response.start":
                ends["status"] = message["status"]
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, heard, told)
            finally:
                route, status = self._route(scope), ends.get("status", 101)
                ms = round((time.monotonic() - began) * 1_000, 1)
                self._log.info("socket", route=route, **{"status": 101, **ends}, ms=ms, **_about(scope, route, status))

    def _over(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        route = self._route(scope)
        self._observed(scope["method"], route, answer.status, None if answer.streamed else seconds)
        fields = {"method": scope["method"], "route": route, "status": answer.status, "ms": round(seconds * 1_000, 1)}
        self._log.info("request", **fields, **_about(scope, route, answer.status))

    def _route(self, scope: Scope) -> str:
        found = route_of(scope)
        if found != UNMATCHED:
            return found
        return next((name for pattern, name in self._templates if pattern.match(scope["path"])), UNMATCHED)


def _vague(template: str) -> bool:
    """Whether a template has placeholders; literal ones sort first, so that `/runs/estimate` is not a `{run_id}`."""
    return "{" in template


def _about(scope: Scope, route: str, status: int) -> dict[str, str]:
    """Return log fields: the run, the code of a refusal, and the path if no route matched."""
    state, run = scope.get("state", {}), scope.get("path_params", {}).get("run_id")
    told = {"run_id": run} if isinstance(run, str) and _RUN.fullmatch(run) else {}
    if "refused" in state:
        told["code"] = state["refused"]
    if status >= 400 and route in (PAGE, UNMATCHED):
        told["path"] = ascii(scope["path"][:_LONGEST_PATH])[1:-1]  # nothing in it may act on a terminal
    return told


def route_of(scope: Scope) -> str:
    """Return the template of the route that answered: its path with names instead of parameter values."""
    if scope.get("route") is None:
        return UNMATCHED
    names = {str(value): name for name, value in scope.get("path_params", {}).items()}
    if "path" in names.values():
        return PAGE
    return "/".join(f"{{{names[part]}}}" if part in names else part for part in scope["path"].split("/"))


def _given(scope: Scope) -> str | None:
    """Return the id that the client sent, if it is well-formed."""
    name = HEADER.lower().encode()
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[0].decode() if len(values) == 1 and _WELL_FORMED.fullmatch(values[0]) else None  # safe to log

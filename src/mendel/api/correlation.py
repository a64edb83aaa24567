"""One id for each request: in its answer, in every line that is logged for it, and in a problem that it ends with.

No header, query string or body is ever logged: any of them may hold a secret (rule 4). A route is named by its
template, not by what was put into it; only where something was refused at an address that no route has, the beginning
of that address is logged.
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
"""The page has one document for all its addresses."""
_STREAM: Final = b"text/event-stream"
_NORMAL: Final = 1000
_NO_CODE: Final = 1005
_LONGEST_PATH: Final = 120
_WELL_FORMED: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_RUN: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Observed = Callable[[str, str, int, float | None], None]
"""Hears of the method, the route's template, the status and the seconds of a request that is over; none of a stream,
which is open for as long as somebody watches."""


def _nobody(method: str, route: str, status: int, seconds: float | None) -> None:
    """Nobody hears of it."""


def request_id_of(scope: Scope) -> str | None:
    """The id that the request was given."""
    found = scope.get("state", {}).get("request_id")
    return found if isinstance(found, str) else None


def refused_as(scope: Scope, code: str) -> None:
    """Remember why the request was refused, for its line in the log."""
    scope.setdefault("state", {})["refused"] = code


@dataclass
class _Answer:
    """What is known of an answer while it is sent."""

    status: int = 500
    streamed: bool = False
    began: float = field(default_factory=time.monotonic)

    def starts(self, message: Message) -> None:
        """Its first message."""
        kinds = [value for name, value in message["headers"] if name.lower() == b"content-type"]
        self.status, self.streamed = message["status"], any(kind.startswith(_STREAM) for kind in kinds)


class Correlation:
    """The outermost of all: gives each request its id, and says when it is over.

    ``templates`` name the routes, for requests that are refused before they come to one.
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
        """A socket has an id, too, and a line when it is over; what was sent over it is logged nowhere."""
        request_id = _given(scope) or uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        ends: dict[str, int] = {}
        began = time.monotonic()

        async def heard() -> Message:
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
    """Whether it fits more than one address: `/runs/estimate` is none of `/runs/{run_id}`."""
    return "{" in template


def _about(scope: Scope, route: str, status: int) -> dict[str, str]:
    """Which run it was about; why it was refused, and where, if no route says that."""
    state, run = scope.get("state", {}), scope.get("path_params", {}).get("run_id")
    told = {"run_id": run} if isinstance(run, str) and _RUN.fullmatch(run) else {}
    if "refused" in state:
        told["code"] = state["refused"]
    if status >= 400 and route in (PAGE, UNMATCHED):
        told["path"] = ascii(scope["path"][:_LONGEST_PATH])[1:-1]
    return told


def route_of(scope: Scope) -> str:
    """The template of the route that answered: its path, with names in place of what was put into it."""
    if scope.get("route") is None:
        return UNMATCHED
    names = {str(value): name for name, value in scope.get("path_params", {}).items()}
    if "path" in names.values():
        return PAGE
    return "/".join(f"{{{names[part]}}}" if part in names else part for part in scope["path"].split("/"))


def _given(scope: Scope) -> str | None:
    """The id that the client sent, if it is one."""
    name = HEADER.lower().encode()
    values = [value for key, value in scope["headers"] if key.lower() == name]
    return values[0].decode() if len(values) == 1 and _WELL_FORMED.fullmatch(values[0]) else None

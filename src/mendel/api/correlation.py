"""One id for each request: in its answer, in every line that is logged for it, and in a problem that it ends with.

No header, query string or body is ever logged: any of them may hold a secret (rule 4). A route is named by its
template, not by what was put into it.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER: Final = "X-Request-ID"
UNMATCHED: Final = "unmatched"
PAGE: Final = "/{path}"
"""The page has one document for all its addresses."""
_WELL_FORMED: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_RUN: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Observed = Callable[[str, str, int, float], None]
"""Hears of the method, the route's template, the status and the seconds of a request that is over."""


def _nobody(method: str, route: str, status: int, seconds: float) -> None:
    """Nobody hears of it."""


def request_id_of(scope: Scope) -> str | None:
    """The id that the request was given."""
    found = scope.get("state", {}).get("request_id")
    return found if isinstance(found, str) else None


class Correlation:
    """The outermost of all: gives each request its id, and says when it is over."""

    def __init__(self, app: ASGIApp, observed: Observed = _nobody) -> None:
        self._app = app
        self._observed = observed
        self._log = structlog.get_logger(__name__)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        status = [500]

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                status[0] = message["status"]
                headers = [each for each in message["headers"] if each[0].lower() != HEADER.lower().encode()]
                message["headers"] = [*headers, (HEADER.lower().encode(), request_id.encode())]
            await send(message)

        began = time.monotonic()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, told)
            finally:
                self._over(scope, status[0], time.monotonic() - began)

    def _over(self, scope: Scope, status: int, seconds: float) -> None:
        route = route_of(scope)
        self._observed(scope["method"], route, status, seconds)
        run = scope.get("path_params", {}).get("run_id")
        about = {"run_id": run} if isinstance(run, str) and _RUN.fullmatch(run) else {}
        fields = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1_000, 1)}
        self._log.info("request", **fields, **about)


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

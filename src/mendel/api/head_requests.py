"""Support for HEAD at every address with GET, as HTTP requires."""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

ENDLESS: Final = "/stream"
"""The suffix of streams, which have no HEAD, because the stream would stay open without a reader."""
_FOUND: Final = ("endpoint", "path_params", "route")


class HeadRequests:
    """Routes HEAD like GET; the server omits the body, because the original scope still has the method HEAD."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; the route's additions to the scope are passed on to the outer middleware."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].endswith(ENDLESS):
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        try:
            await self._app(asked, receive, send)
        finally:
            scope.update({name: asked[name] for name in _FOUND if name in asked})

"""HEAD: whoever may get something may ask for its headers alone, as HTTP wants it."""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

ENDLESS: Final = "/stream"
"""What has no end has no headers alone either: it would be held open for nobody."""
_FOUND: Final = ("endpoint", "path_params", "route")


class HeadRequests:
    """Asks the routes as GET does. The server leaves out the body, since it still knows what was asked."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; what the routes find out about it is kept for those around this."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or scope["path"].endswith(ENDLESS):
            await self._app(scope, receive, send)
            return
        asked = {**scope, "method": "GET"}
        try:
            await self._app(asked, receive, send)
        finally:
            scope.update({name: asked[name] for name in _FOUND if name in asked})

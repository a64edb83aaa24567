"""An adapter for SDKs that use httpx: their requests go through the same single call as those of all others."""

from __future__ import annotations

import httpx  # type: ignore[import-not-found,unused-ignore] # comes with the SDKs that need it
import httpx2

from mendel.adapters.models.vendor_http import NotSent, OneCall, current_exchange


class HttpxDoor(httpx.AsyncBaseTransport):  # type: ignore[misc,unused-ignore] # as its import
    """A transport for httpx that makes its calls through :class:`~mendel.adapters.models.vendor_http.OneCall`."""

    def __init__(self, calls: OneCall) -> None:
        self._calls = calls

    def client(self) -> httpx.AsyncClient:
        """Make a client for an SDK, over this transport."""
        return httpx.AsyncClient(transport=self, timeout=httpx.Timeout(3_600.0), follow_redirects=False)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Make the call; the SDK receives the whole answer, or an error of its own library."""
        content = await request.aread()
        headers = [(name, value) for name, value in request.headers.raw if name.lower() != b"host"]
        ours = httpx2.Request(request.method, str(request.url), headers=headers, content=content)
        try:
            reply = await self._calls.send(ours, current_exchange())
        except NotSent as error:
            raise httpx.TransportError(str(error), request=request) from None
        return httpx.Response(reply.status, headers=dict(reply.headers), content=reply.body, request=request)

"""Checks between a WebSocket's client and its route: the token, and the messages allowed without one.

Browsers cannot set headers on sockets, so a client may send its token as a separate message, ``{"token": "…"}``. The
message never reaches the route. A token in the address is refused, because addresses are logged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import orjson
from starlette.types import Message, Receive, Send
from starlette.websockets import WebSocket

from mendel.api.keyring import Key, Keyring
from mendel.api.problems import problem

FIRST_MESSAGE_S: Final = 5.0
POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013
ADDRESS_PARAMETERS: Final = frozenset({"token", "access_token", "auth", "authorization", "bearer", "api_key"})
"""Names of query parameters in which clients commonly send tokens."""


class Closing(NamedTuple):
    """The code and reason with which a socket is closed."""

    code: int
    reason: str


NO_TOKEN: Final = Closing(POLICY_VIOLATION, "token_required")
OUT_OF_SCOPE: Final = Closing(POLICY_VIOLATION, "out_of_scope")
TOO_OFTEN: Final = Closing(TRY_AGAIN_LATER, "too_many_requests")


@dataclass
class Rights:
    """The rights of one socket: ``reading`` lists message types that change nothing, ``key`` is its present token.

    ``too_often`` counts a message, and returns whether it exceeds the rate limit of its kind (a change or not).
    """

    path: str
    keys: Keyring
    reading: frozenset[str]
    too_often: Callable[[bool], bool]
    key: Key | None = None

    def take(self, token: str) -> Closing | None:
        """Use the token from now on, or return why not; an unknown token is ignored if none is required."""
        found = self.keys.key(token)
        if found is None:
            return NO_TOKEN if self.keys.wanted else None
        self.key = found
        return None if found.allows("GET", self.path) else OUT_OF_SCOPE

    def refusal(self, message: Message) -> Closing | None:
        """Return why a message must not reach the route, or None."""
        told = _object(message)
        kind = told.get("type")
        reads = isinstance(kind, str) and kind in self.reading
        if self.too_often(not reads):  # counted before the token is checked
            return TOO_OFTEN
        if self.key is not None:
            return None if self.key.allows_message(kind if isinstance(kind, str) else None) else OUT_OF_SCOPE
        return NO_TOKEN if self.keys.wanted and not reads else None


class GuardedSocket:
    """The ``receive`` and ``send`` of one socket for its route, with the checks applied."""

    def __init__(self, receive: Receive, send: Send, rights: Rights) -> None:
        self._receive, self._send, self._rights = receive, send, rights
        self._connect: Message | None = None  # read by admitted(), still due to the route
        self._accepted = False
        self._closing: Closing | None = None

    async def admitted(self, patience_s: float = FIRST_MESSAGE_S) -> bool:
        """Wait for the token, which must be the first message; close the socket without it."""
        self._connect = await self._receive()
        await self._send({"type": "websocket.accept"})
        self._accepted = True
        try:
            async with asyncio.timeout(patience_s):
                first = await self._receive()  # never passed to the route
        except TimeoutError:
            await self._close(NO_TOKEN)
            return False
        token = token_in(first)
        closing = self._rights.take(token) if token is not None else NO_TOKEN
        if closing is not None and first["type"] == "websocket.receive":  # otherwise the client has closed it
            await self._close(closing)
        return closing is None

    async def receive(self) -> Message:
        """Return the next message that the route may receive."""
        if self._connect is not None:
            connect, self._connect = self._connect, None
            return connect
        while self._closing is None:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return message
            token = token_in(message)
            closing = self._rights.take(token) if token is not None else self._rights.refusal(message)
            if closing is not None:
                await self._close(closing)
            elif token is None:
                return message
        return {"type": "websocket.disconnect", "code": self._closing.code, "reason": self._closing.reason}

    async def send(self, message: Message) -> None:
        """Send a message of the route, but none after the socket is closed, and no second handshake."""
        if self._closing is not None:
            return
        if not self._accepted:
            await self._send(message)
        elif message["type"].startswith("websocket.http.response"):
            await self._close(Closing(POLICY_VIOLATION, "refused"))
        elif message["type"] != "websocket.accept":
            await self._send(message)

    async def _close(self, closing: Closing) -> None:
        self._closing = closing
        await self._send({"type": "websocket.close", "code": closing.code, "reason": closing.reason})


async def unknown(socket: WebSocket) -> None:
    """Refuse a socket at an address without a socket route."""
    if "websocket.http.response" in socket.scope.get("extensions", {}):
        told = f"there is no socket at {socket.url.path}"
        await socket.send_denial_response(problem(socket, 404, "not_found", told))
    else:
        await socket.close(POLICY_VIOLATION, "not_found")


def token_in(message: Message) -> str | None:
    """Return the token if the message consists of one."""
    told = _object(message)
    token = told.get("token")
    return token if len(told) == 1 and isinstance(token, str) else None


def _object(message: Message) -> Mapping[str, object]:
    """Parse a text message as a JSON object; anything else yields an empty one."""
    try:
        found = orjson.loads(message.get("text") or "null")
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}

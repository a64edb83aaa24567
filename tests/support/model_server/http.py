"""Just enough HTTP/1.1 for a loopback: keep-alive, pipelining, lengths and chunks, and every way to break off."""

from __future__ import annotations

import asyncio
import logging
import socket
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import orjson
from tests.support.model_server.values import Json, Piece, Reply, Script

MAX_HEAD: Final = 64 * 1024
MAX_BODY: Final = 64 * 1024 * 1024
_PHRASES: Final = {status.value: status.phrase for status in HTTPStatus} | {529: "Overloaded"}
_RESET: Final = struct.pack("ii", 1, 0)
_log = logging.getLogger(__name__)


class Malformed(Exception):
    """Bytes that are no request of the kind that is spoken here."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request. Names of headers are in lower case; a header sent twice has its values joined by commas."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    version: str = "HTTP/1.1"

    def json(self) -> Any:
        """The body's value.

        Raises:
            ValueError: it is not JSON.
        """
        return orjson.loads(self.body)

    def shown(self) -> Json:
        """The request as ``GET /__seen`` shows it; a body that is not JSON as text."""
        try:
            body = self.json()
        except ValueError:
            body = self.body.decode(errors="replace")
        return {"method": self.method, "path": self.path, "headers": self.headers, "body": body}


Handle = Callable[[Request], Reply | Script]


class Connection(asyncio.Protocol):
    """Answers one client's requests in their order. What needs no waiting is answered without a task."""

    def __init__(self, handle: Handle, connections: set[Connection]) -> None:
        self._handle = handle
        self._connections = connections
        self._buffer = bytearray()
        self._playing: asyncio.Task[None] | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client came."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client went, or was sent away."""
        self._connections.discard(self)
        if self._playing is not None:
            self._playing.cancel()

    def pause_writing(self) -> None:
        """The client reads slower than we write."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """It has caught up."""
        self._may_write.set()

    def data_received(self, data: bytes) -> None:
        """Some of a request, or several."""
        self._buffer += data
        self._advance()

    def abort(self) -> None:
        """Away with the client, whatever is under way."""
        self._transport.abort()

    def _advance(self) -> None:
        try:
            while self._playing is None and not self._transport.is_closing() and (request := self._taken()):
                self._answer(request)
        except Malformed as error:
            self._transport.write(encoded(Reply(400, body=orjson.dumps({"error": {"message": str(error)}}))))
            self._transport.close()

    def _taken(self) -> Request | None:
        """The next whole request."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            if len(self._buffer) > MAX_HEAD:
                raise Malformed("the head is too long")
            return None
        method, path, version, headers = parsed_head(bytes(self._buffer[:end]))
        size, start = body_size(headers), end + 4
        if len(self._buffer) < start + size:
            if "expect" in headers and len(self._buffer) == start:
                self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            return None
        body = bytes(self._buffer[start : start + size])
        del self._buffer[: start + size]
        return Request(method, path, headers, body, version)

    def _answer(self, request: Request) -> None:
        last = request.headers.get("connection", "").lower() == "close" or request.version == "HTTP/1.0"
        reply = self._reply(request)
        if isinstance(reply, Reply) and reply.stream is None:
            self._transport.write(encoded(reply))
            if last:
                self._transport.close()
            return
        script = reply if isinstance(reply, Script) else Script(chunked(reply))
        if last and script.ending == "keep":
            script = Script(script.pieces, "close")
        self._playing = asyncio.get_running_loop().create_task(self._play(script))

    def _reply(self, request: Request) -> Reply | Script:
        try:
            return self._handle(request)
        except Exception:  # noqa: BLE001 - a brain is anybody's code; its error is this server's 500 and log line
            _log.exception("%s %s", request.method, request.path)
            return Reply(500, body=b'{"error": {"message": "the model server itself failed; see its log"}}')

    async def _play(self, script: Script) -> None:
        for piece in script.pieces:
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            else:
                self._transport.write(piece)
                await self._may_write.wait()
                await asyncio.sleep(0)  # who never waits would otherwise never let anybody else in
        self._playing = None
        if script.ending == "keep":
            self._advance()
        else:
            self._end(reset=script.ending == "reset")

    def _end(self, *, reset: bool) -> None:
        if not reset:
            self._transport.close()
            return
        raw: socket.socket = self._transport.get_extra_info("socket")
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._transport.abort()


def parsed_head(head: bytes) -> tuple[str, str, str, dict[str, str]]:
    """Method, path, version and headers.

    Raises:
        Malformed: it is none.
    """
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1.") or not words[1].startswith("/"):
        raise Malformed("the request line is not of HTTP/1")
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Malformed("a header without a name or a colon")
        name, value = name.lower(), value.strip()
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return words[0], words[1], words[2], headers


def body_size(headers: dict[str, str]) -> int:
    """How many bytes of body come after the head.

    Raises:
        Malformed: that is not told by a length.
    """
    if "transfer-encoding" in headers:
        raise Malformed("a body in chunks is not read here; send its length")
    given = headers.get("content-length", "0")
    if not (given.isascii() and given.isdigit()) or int(given) > MAX_BODY:
        raise Malformed("the length of the body is not a number, or too large")
    return int(given)


def head_of(reply: Reply, *framing: str) -> bytes:
    """Status line and headers, with the lines that say how the body is framed."""
    lines = [f"HTTP/1.1 {reply.status} {_PHRASES.get(reply.status, 'Unknown')}"]
    lines += [f"{name}: {value}" for name, value in reply.headers]
    return "\r\n".join([*lines, *framing, "", ""]).encode("latin-1")


def encoded(reply: Reply) -> bytes:
    """A reply with a body, as it goes over the wire."""
    return head_of(reply, f"content-length: {len(reply.body)}") + reply.body


def chunked(reply: Reply) -> Iterator[Piece]:
    """A reply with a stream, as it goes over the wire."""
    yield head_of(reply, "transfer-encoding: chunked")
    for piece in reply.stream or ():
        yield piece if isinstance(piece, float) else b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"

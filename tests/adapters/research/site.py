"""A web site on a loopback address, which says exactly the bytes that a test wants said."""

import asyncio
import gzip
from dataclasses import dataclass

PUBLIC = "127.0.0.2"
"""Stands for the Internet: a test lets it through as trusted."""
INSIDE = "127.0.0.1"
"""Stands for what must never be reached."""


@dataclass(frozen=True)
class Asked:
    method: str
    target: str
    headers: dict[str, str]


def answer(body=b"peas", *, status=200, kind="text/plain; charset=utf-8", encoding=None, **headers):
    """A whole HTTP answer; with ``encoding="gzip"`` the body is compressed."""
    body = body.encode() if isinstance(body, str) else body
    body = gzip.compress(body) if encoding == "gzip" else body
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {len(body)}", "Connection: close"]
    lines += [f"Content-Type: {kind}"] * (kind is not None)
    lines += [f"Content-Encoding: {encoding}"] * (encoding is not None)
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def moved(to, status=302):
    return answer(b"", status=status, Location=to)


class Site:
    """``pages`` maps a path to the bytes of an answer, to a function of what was asked, or to one that also writes."""

    def __init__(self, pages=None, host=PUBLIC, tls=None):
        self.pages = pages or {}
        self.host = host
        self.asked = []
        self._tls = tls
        self._serving = set()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._serve, self.host, 0, ssl=self._tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error):
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader, writer):
        self._serving.add(asyncio.current_task())
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            method, target, _version = head[0].split(" ", 2)
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            asked = Asked(method, target, headers)
            self.asked.append(asked)
            await self._say(asked, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # the other side may leave whenever it likes
        finally:
            writer.close()

    async def _say(self, asked, writer):
        page = self.pages.get(asked.target.partition("?")[0], answer(b"nothing here", status=404))
        said = page(asked) if callable(page) else page
        if isinstance(said, bytes):
            said = _once(said)
        async for part in said:
            writer.write(part)
            await writer.drain()


async def _once(data):
    yield data


async def dripping(asked):
    """An answer that goes on for ever, a byte at a time."""
    yield b"HTTP/1.1 200 Said\r\nContent-Type: text/plain\r\n\r\n"
    while True:
        yield b"x"
        await asyncio.sleep(0.01)


async def endless(asked):
    """An answer that goes on for ever, as fast as it is taken."""
    yield b"HTTP/1.1 200 Said\r\nContent-Type: text/plain\r\n\r\n"
    while True:
        yield b"x" * 65_536


async def silent(asked):
    """An answer that never begins."""
    await asyncio.sleep(3_600)
    yield b""

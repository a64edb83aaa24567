"""Questions in every dialect, and a client that takes bytes as they come."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any
from urllib.parse import urlsplit

import orjson

SCORE: dict[str, Any] = {
    "type": "object",
    "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 10}, "why": {"type": "string"}},
    "required": ["score", "why"],
    "additionalProperties": False,
}
TLS = ssl.create_default_context()
"""For every client: none of them needs it, and each would load all authorities for one of its own."""

PATHS = {"openai": "/v1/chat/completions", "anthropic": "/v1/messages", "ollama": "/api/chat"}


def asking(api: str, prompt: str = "Which score?", *, stream: bool = False, schema: Any = SCORE) -> dict[str, Any]:
    """A body that asks for a value of ``schema``, or for text where it is None, the way that this API has it."""
    body: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": prompt}], "stream": stream}
    if api == "anthropic":
        body["max_tokens"] = 4_096
    if schema is None:
        return body
    if api == "openai":
        wanted = {"name": "Score", "schema": schema, "strict": True}
        return body | {"response_format": {"type": "json_schema", "json_schema": wanted}}
    if api == "ollama":
        return body | {"format": schema}
    tool = {"name": "final_result", "input_schema": schema}
    return body | {"tools": [tool], "tool_choice": {"type": "tool", "name": "final_result"}}


def said(api: str, told: dict[str, Any]) -> str | None:
    """The text of an answer, or the arguments of its call."""
    if api == "openai":
        message = told["choices"][0]["message"]
        calls = message.get("tool_calls")
        return calls[0]["function"]["arguments"] if calls else message["content"]
    if api == "ollama":
        return told["message"]["content"]
    if not told["content"]:
        return None
    block = told["content"][0]
    return block["text"] if block["type"] == "text" else orjson.dumps(block["input"]).decode()


def stopped(api: str, told: dict[str, Any]) -> str:
    if api == "openai":
        return told["choices"][0]["finish_reason"]
    return told["done_reason"] if api == "ollama" else told["stop_reason"]


def request_bytes(path: str, body: Any, method: str = "POST", **headers: str) -> bytes:
    told = orjson.dumps(body)
    lines = [f"{method} {path} HTTP/1.1", "host: here", f"content-length: {len(told)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + told


class RawClient:
    """One connection; what comes in is read as bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, url: str) -> RawClient:
        where = urlsplit(url)
        return cls(*await asyncio.open_connection(where.hostname, where.port))

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def at_least(self, size: int) -> bytes:
        """That many bytes, however they come."""
        return await self.reader.readexactly(size)

    async def rest(self) -> bytes:
        """Everything until the other side closes."""
        return await self.reader.read()

    async def response(self) -> tuple[int, dict[str, str], bytes]:
        """A response whose length is told."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if line)
        return int(head[0].split()[1]), headers, await self.at_least(int(headers["content-length"]))

    async def close(self) -> None:
        self._writer.transport.abort()
        await asyncio.sleep(0)

"""A local server that speaks OpenAI's chat protocol and answers every prompt at once with an edit of its program.

Started as ``python -m benchmarks.evolve_rate_server``; its first line on stdout is the port. It ends with its stdin.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
from typing import Final

from benchmarks.evolve_rate_task import constant_in, slope

_LENGTH: Final = b"content-length:"
_numbers = itertools.count(1)


def answer(prompt: str) -> str:
    """A diff, as the peer asks for by default, that changes the constant of the program that stands last."""
    before, after = constant_in(prompt), slope(next(_numbers))
    return f"<<<<<<< SEARCH\n    slope = {before}\n=======\n    slope = {after}\n>>>>>>> REPLACE\n"


def _completion(body: bytes) -> bytes:
    messages = json.loads(body)["messages"]
    text = answer(messages[-1]["content"])
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "message": message, "finish_reason": "stop"}]
    about = {"id": "instant", "object": "chat.completion", "created": 0, "model": "instant"}
    return json.dumps({**about, "choices": choices, "usage": usage}).encode()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, kept open as long as the client likes."""
    try:
        while head := await _head(reader):
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(_LENGTH))
            body = _completion(await reader.readexactly(length))
            about = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(about.encode() + body)
            await writer.drain()
    except ConnectionError:
        pass  # a worker of the peer that is terminated hangs up
    finally:
        writer.close()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""


async def main() -> None:
    """Serve until stdin ends."""
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    async with server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())

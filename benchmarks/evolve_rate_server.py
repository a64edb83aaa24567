"""A local server that speaks OpenAI's chat protocol and answers every prompt at once with an edit of its program.

Both sides of ``evolve_rate`` ask it, and it answers both by the same lines. Started as ``python -m
benchmarks.evolve_rate_server``; its first line on stdout is the port. It ends with its stdin.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.evolve_rate_task import constant_in, has_constant, looping_lines, slope

MODEL: Final = "instant"
MODEL_WITH_LOOPERS: Final = "instant-with-loopers"
LOOPING: Final = 10
"""With loopers, every so-many-th answer is one."""
_ROOT: Final = Path(__file__).parent.parent
_LENGTH: Final = b"content-length:"
_numbers = itertools.count(1)


@contextmanager
def model_server() -> Iterator[str]:
    """The server as a process of its own; its address, as clients of OpenAI's protocol want it.

    Raises:
        RuntimeError: it did not start.
    """
    command = [sys.executable, "-m", "benchmarks.evolve_rate_server"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("the server has no pipes")
        port = process.stdout.readline()
        if not port:
            raise RuntimeError("the server did not start")
        yield f"http://127.0.0.1:{int(port)}/v1"
        process.stdin.close()


# --- the server ----------------------------------------------------------------------------------------------------


def answer(messages: Sequence[str], model: str) -> str:
    """Blocks of search and replace that change the constant of the program.

    That is in the first message that has one. The peer puts everything into one message, the program last; ours shows
    the program in a message of its own, and others after it.
    """
    number = next(_numbers)
    before = constant_in(next(text for text in messages if has_constant(text)))
    blocks = _block(f"    slope = {before}", f"    slope = {slope(number)}")
    return blocks + _block(*looping_lines()) if model == MODEL_WITH_LOOPERS and number % LOOPING == 0 else blocks


def _block(before: str, after: str) -> str:
    return f"<<<<<<< SEARCH\n{before}\n=======\n{after}\n>>>>>>> REPLACE\n"


def _completion(body: bytes) -> bytes:
    asked = json.loads(body)
    text = answer([each["content"] for each in asked["messages"]], asked["model"])
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

"""A local server with OpenAI's chat protocol that answers every prompt immediately with an edit of its program.

Both sides of ``evolve_rate`` use it, and it runs the same code for both. Started as ``python -m
benchmarks.evolve_rate_server``; its first line on stdout is the port. It ends when its stdin is closed.
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
"""With loopers, one of this many answers is a looper."""
_ROOT: Final = Path(__file__).parent.parent
_LENGTH: Final = b"content-length:"
_numbers = itertools.count(1)


@contextmanager
def model_server() -> Iterator[str]:
    """Start the server as a separate process; yields its base URL for clients of OpenAI's protocol.

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
    """Return search-and-replace blocks that change the constant of the program.

    The program is in the first message with a constant. The peer puts everything into one message, with the program
    last; our side has a separate message for the program, followed by others.
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
    """Serve one connection until the client closes it."""
    try:
        while head := await _head(reader):
            length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(_LENGTH))
            body = _completion(await reader.readexactly(length))
            about = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(about.encode() + body)
            await writer.drain()
    except ConnectionError:
        pass  # a terminated worker of the peer closes its connection
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

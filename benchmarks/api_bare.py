"""A plain Starlette loop: `python -m benchmarks.api_bare PORT FILE RATE SENT` sends the frames of a run file to all."""

from __future__ import annotations

import asyncio
import sys
import time
from array import array
from collections.abc import AsyncGenerator
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route

from benchmarks.api_pace import paced
from benchmarks.api_sides import kept
from benchmarks.api_writer import records_of
from mendel.api.frames import event_frame
from mendel.ports.records import event_of

_queues: list[asyncio.Queue[bytes]] = []


async def _frames(queue: asyncio.Queue[bytes]) -> AsyncGenerator[bytes, None]:
    while True:
        found = [await queue.get()]
        while not queue.empty():
            found.append(queue.get_nowait())
        yield b"".join(found)


async def _stream(_request: Request) -> StreamingResponse:
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    _queues.append(queue)
    return StreamingResponse(_frames(queue), media_type="text/event-stream")


async def _send(path: Path, rate: int, sent: Path) -> None:
    events = [event_of(record) for record in records_of(path)][1:]
    frames = [(event.sequence, event_frame(event)) for event in events]
    times = array("q")
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    async for batch in paced(frames, rate):
        now = time.monotonic_ns()
        for sequence, frame in batch:
            times.extend((sequence, now))
            for queue in _queues:
                queue.put_nowait(frame)
    kept(sent, times)
    print(f"last {frames[-1][0]}", flush=True)


async def main(port: int, path: Path, rate: int, sent: Path) -> None:
    """Serve until the process is signalled to end."""
    config = uvicorn.Config(
        Starlette(routes=[Route("/stream", _stream)]), port=port, log_config=None, access_log=False, lifespan="off"
    )
    server = uvicorn.Server(config)
    sending = asyncio.create_task(_send(path, rate, sent))
    await server.serve()
    sending.cancel()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])))

"""Both sides of ``api``: a server, a hundred connections in client processes, and the source of the events."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from array import array
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

PROCESSES: Final = 4
_PATIENCE_S: Final = 120.0


class Taken(NamedTuple):
    """Measurements of one side's clients: the delays of all events at all clients, and the number of missing ones."""

    seen: int
    lost: int
    doubled: int
    p50_ms: float
    p99_ms: float
    worst_ms: float


class Bare:
    """Starlette alone, which creates the frames that it sends."""

    name = "bare"

    def __init__(self, path: Path) -> None:
        self._path = path

    async def watched(self, rate: int, clients: int, folder: Path) -> Taken:
        """Return the clients' measurements of a run at ``rate`` events per second."""
        _make(folder)
        port = _free_port()
        command = ["-m", "benchmarks.api_bare", str(port), str(self._path), str(rate), str(folder / "sent")]
        async with _started(command) as server:
            await _said(server, "ready")
            await _watch(f"http://127.0.0.1:{port}/stream", clients, server, folder)
        return _taken(folder)


class Ours:
    """`mendel serve`, and a writer that stores events in its log."""

    name = "ours"

    def __init__(self, home: Path, path: Path) -> None:
        self._home, self._path = home, path

    async def watched(self, rate: int, clients: int, folder: Path) -> Taken:
        """Return the clients' measurements of a run at ``rate`` events per second."""
        _make(folder)
        write = ["-m", "benchmarks.api_writer", str(self._home), str(self._path), str(rate), str(folder / "sent")]
        async with served(self._home) as address, _started(write) as writer:
            run_id = (await _said(writer, "run ")).removeprefix("run ")
            await _watch(f"{address}/api/runs/{run_id}/stream?since=0", clients, writer, folder)
        return _taken(folder)


@asynccontextmanager
async def served(home: Path) -> AsyncIterator[str]:
    """Run `mendel serve` over the log of a home; yields its address."""
    command = ["-m", "mendel", "--home", str(home), "serve", "--no-resume", "--json", "--port", "0"]
    async with _started(command) as server:
        yield str(json.loads(await _said(server, '{"url"'))["url"])


async def _watch(address: str, clients: int, maker: Process, folder: Path) -> None:
    """Connect the clients, let ``maker`` create the events, and wait until every client has received all of them."""
    share = clients // PROCESSES
    commands = [
        ["-m", "benchmarks.api_client", address, str(share), str(folder / f"seen-{n}")] for n in range(PROCESSES)
    ]
    watching = [await _process(command) for command in commands]
    try:
        # no event before every client is connected, so that the delays contain no connecting
        await asyncio.gather(*(_said(client, "ready") for client in watching))
        _tell(maker, "go")
        last = (await _said(maker, "last ")).removeprefix("last ")
        for client in watching:
            _tell(client, last)
        await asyncio.wait_for(asyncio.gather(*(client.wait() for client in watching)), _PATIENCE_S)
    finally:
        for client in watching:
            _end(client)


def _taken(folder: Path) -> Taken:
    """Return the delays from an event's creation to its arrival at each client; files have (sequence, nanoseconds)."""
    sent = _pairs(folder / "sent")
    made = dict(zip(sent[:, 0].tolist(), sent[:, 1].tolist(), strict=True))
    delays, lost, doubled = [], 0, 0
    for path in sorted(folder.glob("seen-*-*")):
        seen = _pairs(path)
        ids = seen[:, 0].tolist()
        lost += len(made.keys() - set(ids))
        doubled += len(ids) - len(set(ids))
        delays.append(seen[:, 1] - np.array([made[each] for each in ids]))
    every = np.concatenate(delays) / 1e6
    p50, p99, worst = np.quantile(every, [0.5, 0.99, 1.0])
    return Taken(len(every), lost, doubled, round(float(p50), 3), round(float(p99), 3), round(float(worst), 3))


def _make(folder: Path) -> None:
    folder.mkdir()


def _pairs(path: Path) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.fromfile(path, dtype=np.int64).reshape(-1, 2)


def kept(path: Path, pairs: array[int]) -> None:
    """Write pairs of (sequence, nanoseconds) for the comparison."""
    path.write_bytes(pairs.tobytes())


# --- processes -------------------------------------------------------------------------------------------------


@asynccontextmanager
async def _started(arguments: Sequence[str]) -> AsyncIterator[Process]:
    process = await _process(arguments)
    try:
        yield process
    finally:
        _end(process)
        await process.wait()


async def _process(arguments: Sequence[str]) -> Process:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MENDEL_")}
    return await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdin=PIPE, stdout=PIPE, stderr=asyncio.subprocess.STDOUT, env=environment
    )


async def _said(process: Process, beginning: str) -> str:
    """Return the next line of a process.

    Raises:
        RuntimeError: the process ended without a line.
    """
    told: list[str] = []
    async with asyncio.timeout(_PATIENCE_S):
        while line := (await process.stdout.readline() if process.stdout else b""):
            told.append(line.decode().strip())
            if told[-1].startswith(beginning):
                return told[-1]
    raise RuntimeError("\n".join(["a process ended:", *told[-20:]]))


def _tell(process: Process, line: str) -> None:
    if process.stdin is not None:
        process.stdin.write(f"{line}\n".encode())


def _end(process: Process) -> None:
    if process.returncode is None:
        process.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])

"""One worker process as its parent sees it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Final, cast

from pydantic_core import from_json

from mendel.adapters.memory.frames import BrokenFrame, FrameReader, framed
from mendel.adapters.memory.worker_process import BEGUN, WorkerSettings
from mendel.contracts.base import JsonObject

_PIECE_BYTES: Final = 1 << 20
_LOOK_AGAIN_S: Final = 0.002
_TIME_TO_BEGIN_S: Final = 60.0
"""What starting a worker and importing a handler may take where the task has a deadline: they do not count as its work,
or a handler that is slow to import would overrun each time, in a fresh worker each time."""


class WorkerDied(Exception):
    """The worker ended, or does not speak the protocol any more; says how. Never leaves the pool."""


class Worker:
    """A process that performs one task at a time. It leads a session of its own, which dies with it.

    Every wait is for the pipe or for the end of the process: a grandchild that a dead worker left behind may hold the
    pipe open.
    """

    def __init__(self, references: Mapping[str, str]) -> None:
        # By the thread that runs the event loop, never in one that ends: the kernel kills a worker with its thread.
        self._process = subprocess.Popen(  # noqa: S603 - our own module, by the interpreter that runs us
            _command(references),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self._stdin, self._stdout = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stdout.fileno(), False)
        self._ending = _descriptor_of(self._process.pid)
        self._frames = FrameReader()

    async def perform(self, message: bytes, deadline_s: float | None) -> JsonObject:
        """Have a task performed; what came of it.

        Raises:
            WorkerDied: it has no outcome.
            TimeoutError: it is past its deadline; the worker is still at it.
        """
        now = asyncio.get_running_loop().time
        begin = None if deadline_s is None else now() + max(deadline_s, _TIME_TO_BEGIN_S)
        async with asyncio.timeout_at(begin) as limit:
            await self._send(framed(message))
            reply = await self._receive()
            if reply == BEGUN:
                limit.reschedule(None if deadline_s is None else now() + deadline_s)
                reply = await self._receive()
        return _outcome(reply)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended; it stays a zombie, so that its number remains its own, until :meth:`end`."""
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True  # somebody else in this process waits for every child
        return ended is not None

    def kill(self) -> None:
        """Kill the process, and what it started."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def end(self) -> str:
        """Kill the process and return once nothing is left of it; says how it ended. Can be called again."""
        self.kill()
        while not self.has_ended:  # noqa: ASYNC110 - a killed process takes a millisecond, and nobody announces it
            await asyncio.sleep(_LOOK_AGAIN_S)
        self._process.wait()
        self._close()
        return _how(self._process.returncode)

    def _close(self) -> None:
        self._stdin.close()
        self._stdout.close()
        if self._ending >= 0:
            os.close(self._ending)
            self._ending = -1

    async def _send(self, data: bytes) -> None:
        loop, pipe, rest = asyncio.get_running_loop(), self._stdin.fileno(), memoryview(data)
        while rest:
            ended = self.has_ended
            try:
                rest = rest[os.write(pipe, rest) :]
            except BlockingIOError:
                if ended:
                    raise WorkerDied("ended") from None
                await self._until_something_happens(loop.add_writer, loop.remove_writer, pipe)
            except BrokenPipeError as error:
                raise WorkerDied("ended") from error

    async def _receive(self) -> bytes:
        loop, pipe = asyncio.get_running_loop(), self._stdout.fileno()
        while (message := self._message()) is None:
            ended = self.has_ended  # before reading: what a worker wrote before its end counts
            try:
                piece = os.read(pipe, _PIECE_BYTES)
            except BlockingIOError:
                if ended:
                    raise WorkerDied("ended") from None
                await self._until_something_happens(loop.add_reader, loop.remove_reader, pipe)
                continue
            if not piece:
                raise WorkerDied("ended")
            self._frames.feed(piece)
        return message

    def _message(self) -> bytes | None:
        try:
            return self._frames.take()
        except BrokenFrame as error:
            raise WorkerDied(f"spoke nonsense: {error}") from error

    async def _until_something_happens(
        self, watch: Callable[..., object], unwatch: Callable[[int], object], pipe: int
    ) -> None:
        loop = asyncio.get_running_loop()
        happened = asyncio.Event()
        watch(pipe, happened.set)
        if self._ending >= 0:
            loop.add_reader(self._ending, happened.set)
        try:
            await happened.wait()
        finally:
            unwatch(pipe)
            if self._ending >= 0:
                loop.remove_reader(self._ending)


def _command(references: Mapping[str, str]) -> list[str]:
    settings = WorkerSettings(os.getpid(), sys.path, dict(references))
    return [sys.executable, "-P", "-m", "mendel.adapters.memory.worker_process", settings.spelled()]


def _descriptor_of(pid: int) -> int:
    """A descriptor that is readable once the process has ended, or -1 where the kernel has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _outcome(reply: bytes) -> JsonObject:
    try:
        return cast("JsonObject", from_json(reply))
    except ValueError as error:
        raise WorkerDied(f"spoke nonsense: {error}") from error


def _how(returncode: int) -> str:
    if returncode >= 0:
        return f"exit status {returncode}"
    try:
        return signal.Signals(-returncode).name
    except ValueError:
        return f"signal {-returncode}"

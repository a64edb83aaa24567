"""The parent's side of one worker process."""

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

_PIECE_BYTES: Final = 1 << 20  # per read
_LOOK_AGAIN_S: Final = 0.002
_TIME_TO_BEGIN_S: Final = 60.0
"""Minimum time for starting a worker and importing a handler, where the task has a deadline. It does not count as work:
otherwise a handler with slow imports would overrun every time, each time in a new worker."""


class WorkerDied(Exception):
    """The worker ended or violated the protocol; the message says how. Never leaves the pool."""


class Worker:
    """A process that performs one task at a time. It leads a separate session, which dies with it.

    Every wait is for the pipe or for the end of the process, because a grandchild of a dead worker may keep the pipe
    open.
    """

    def __init__(self, references: Mapping[str, str]) -> None:
        # Only in the event loop's thread: through PDEATHSIG the kernel kills a worker when its starting thread ends.
        self._process = subprocess.Popen(  # noqa: S603 - our own module, run by this interpreter
            _command(references),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # so that it can be killed with its children
        )
        self._stdin, self._stdout = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        os.set_blocking(self._stdin.fileno(), False)
        os.set_blocking(self._stdout.fileno(), False)
        self._ending = _descriptor_of(self._process.pid)
        self._frames = FrameReader()

    async def perform(self, message: bytes, deadline_s: float | None) -> JsonObject:
        """Have a task performed and return its outcome.

        Raises:
            WorkerDied: the worker ended without an outcome.
            TimeoutError: the deadline has passed; the worker is still busy.
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
        """Whether the process has ended; until :meth:`end` it stays a zombie, so that its pid is not reused."""
        try:
            ended = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True  # other code in this process reaps all children
        return ended is not None

    def kill(self) -> None:
        """Kill the process and its children."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def end(self) -> str:
        """Kill the process, wait for its end, and return how it ended. Idempotent."""
        self.kill()
        while not self.has_ended:  # noqa: ASYNC110 - takes a millisecond, and triggers no event
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
            ended = self.has_ended  # checked before reading, so that a last message still counts
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
            raise WorkerDied(f"sent an invalid frame: {error}") from error

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
    """Return a descriptor that becomes readable when the process ends, or -1 where the kernel has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def _outcome(reply: bytes) -> JsonObject:
    try:
        return cast("JsonObject", from_json(reply))
    except ValueError as error:
        raise WorkerDied(f"sent an invalid reply: {error}") from error


def _how(returncode: int) -> str:
    if returncode >= 0:
        return f"exit status {returncode}"
    try:
        return signal.Signals(-returncode).name
    except ValueError:
        return f"signal {-returncode}"

"""A harness as most people write it: programs run in its own process, and what it says is believed.

It is here to be defeated: an attack on a part of the design that is no layer (values are plain data, the parent
measures and compares, every fork is thrown away) must succeed against this, or it proves nothing against the sandbox.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import struct
import sys
import tempfile
from pathlib import Path

from mendel.contracts.errors import SandboxFailed
from mendel.contracts.evaluations import Isolation, Outcome, ResourceUse
from mendel.ports.sandbox import Ask, Attempt, Sandbox

WORKER = Path(__file__).with_name("naive_worker.py")
PATIENCE_S = 10.0


class NaiveSandbox(Sandbox):
    """One process for all programs; it is told the answer, so that it can say whether a program is right."""

    def __init__(self, answer: int) -> None:
        self._answer = answer
        self._folder = tempfile.TemporaryDirectory(prefix="naive-")
        self._process: asyncio.subprocess.Process | None = None
        self._results = -1

    async def isolation(self) -> Isolation:
        return Isolation("weak", (), "naive")

    async def attempt(self, ask: Ask) -> Attempt:
        reader = await self._started()
        assert self._process is not None
        assert self._process.stdin is not None
        files, function = dict(ask.program.files), ask.program.entry
        asked = pickle.dumps((files, function, [(case.args, dict(case.kwargs)) for case in ask.cases], self._answer))
        self._process.stdin.write(struct.pack("<I", len(asked)) + asked)
        try:
            told = await asyncio.wait_for(self._told(reader), PATIENCE_S)
            return self._believed(told, len(ask.cases))
        except Exception as error:
            await self._end()
            raise SandboxFailed(f"the harness is lost: {type(error).__name__} {error}") from error

    async def aclose(self) -> None:
        await self._end()
        self._folder.cleanup()

    async def _started(self) -> asyncio.StreamReader:
        if self._process is None or self._process.returncode is not None:
            (Path(self._folder.name) / "expected.json").write_text(str(self._answer))
            self._results, theirs = os.pipe()
            os.set_inheritable(theirs, True)
            self._process = await asyncio.create_subprocess_exec(
                *[sys.executable, str(WORKER), str(theirs)],
                stdin=asyncio.subprocess.PIPE,
                cwd=self._folder.name,
                env={**os.environ, "PYTHONHASHSEED": "0"},
                close_fds=False,
            )
            os.close(theirs)
            self._reader = asyncio.StreamReader()
            await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(self._reader), os.fdopen(self._results, "rb")
            )
        return self._reader

    async def _told(self, reader: asyncio.StreamReader) -> object:
        """Whatever came through the pipe, unpickled: whoever wrote it."""
        data = b""
        while True:
            piece = await reader.read(1 << 20)
            if not piece:
                raise OSError("it ended")
            data += piece
            try:
                return pickle.loads(data)
            except (pickle.UnpicklingError, EOFError) as error:
                if "truncated" not in str(error) and "ran out" not in str(error).lower():
                    raise

    def _believed(self, told: dict, cases: int) -> Attempt:
        line = told.get("line")
        outcomes = [
            Outcome(
                told["kind"],
                value,
                error_type=told.get("error_type"),
                message=told.get("message") or told.get("output", ""),
                line=line,
                opcodes=told.get("opcodes"),
            )
            for value in told.get("values", [told.get("value")] * cases)
        ]
        usage = ResourceUse(0.0, told["wall_s"], 0, 1)
        return Attempt(
            tuple(outcomes),
            usage,
            Isolation("weak", (), "naive"),
            told.get("output", "").encode("utf-8", "replace").decode(),
        )

    async def _end(self) -> None:
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            await self._process.wait()
            self._process = None

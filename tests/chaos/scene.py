"""One log with its keeper, its writers and whoever checks them."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.chaos.homes import Home
from tests.chaos.ledger import Checker, Ledger, PromiseBroken, require
from tests.chaos.marks import ACKNOWLEDGED, READY, Mark, MarkReader, seen
from tests.chaos.tally import Tally

from mendel.conformance.samples import new_run
from mendel.ports.event_log import EventLog

HANG_S = 120.0
"""Nothing here takes a tenth of it; longer than that is a hang."""

REPOSITORY = Path(__file__).parents[2]


class WriterProcess:
    """A writer that was started and waits for its turn."""

    def __init__(self, number: int, command: list[str], stderr: Path, *, own_session: bool = False) -> None:
        self.number = number
        self.stderr = stderr
        reading, writing = os.pipe()
        with stderr.open("wb") as errors:
            self._process = subprocess.Popen(
                [*command, f"--number={number}", f"--marks={writing}"],
                cwd=REPOSITORY,
                stdin=subprocess.PIPE,
                stderr=errors,
                pass_fds=(writing,),
                start_new_session=own_session,
            )
        os.close(writing)
        self.marks = MarkReader(reading)
        self.marks.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def go(self) -> None:
        self.await_marks("getting ready", seen(READY))
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.flush()

    def await_marks(self, what: str, wanted: Callable[[list[Mark]], bool], since: int = 0) -> None:
        """Wait for it; a writer that dies first, or never gets there, has broken a promise."""
        if self.marks.wait_for(wanted, since, HANG_S):
            return
        ended = self._process.poll()
        state = "hangs" if ended is None else f"ended with {ended}"
        raise PromiseBroken(f"writer {self.number} {state}, instead of {what}; see {self.stderr}")

    def await_acknowledgement(self, since: int = 0) -> None:
        self.await_marks("having a batch acknowledged", seen(ACKNOWLEDGED), since)

    def said(self, word: str) -> int:
        """How often, on its stderr."""
        return self.stderr.read_text("utf-8", "replace").count(word)

    def kill(self) -> None:
        """SIGKILL, and wait until its last mark has come."""
        os.kill(self.pid, signal.SIGKILL)
        self._bury()

    def stop(self) -> None:
        """Let it finish what is in flight; it must end well."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            code = self._process.wait(HANG_S)
        except subprocess.TimeoutExpired as error:
            raise PromiseBroken(f"writer {self.number} hangs, instead of ending") from error
        self._bury()
        require(code == 0, f"writer {self.number} ended with {code}; see {self.stderr}")

    def clear(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._bury()

    def _bury(self) -> None:
        self._process.wait()
        self.marks.join()
        if self._process.stdin is not None and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                return


class Scene:
    """Starts the keeper and writers; ends them all, whatever happens.

    Where writers die often, the next one is started ahead and waits.
    """

    def __init__(
        self, home: Home, folder: Path, seed: int, tally: Tally, *, pause_s: float = 0.04, ahead: bool = True
    ) -> None:
        self.home = home
        self.folder = folder
        self.tally = tally
        self._seed = seed
        self._pause_s = pause_s
        self._ahead = ahead
        self._ledger = Ledger(folder / "record.jsonl")
        self._socket = f"mendel-chaos-{secrets.token_hex(8)}"
        self._writers: list[WriterProcess] = []
        self._keeper: subprocess.Popen[bytes] | None = None
        self._log: EventLog | None = None
        self._loop = asyncio.Runner()

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            self._set_up()
        except BaseException:
            self.clear()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def _set_up(self) -> None:
        self._keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.keeper", self._socket, str(self.folder / "record.jsonl")],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.home.prepare()
        self._log = self.home.open_to_look()
        self.run_id = self._loop.run(new_run(self._log))
        self._checker = Checker(self._ledger, self.run_id)
        assert self._keeper.stdout is not None
        require(self._keeper.stdout.readline() == b"ready\n", "the keeper did not start")
        self._start_writer()

    def next_writer(self) -> WriterProcess:
        """A writer that takes the run over from now on."""
        writer = self._writers[-1]
        if self._ahead:
            self._start_writer()
        writer.go()
        return writer

    def await_recorded(self, writer: WriterProcess) -> None:
        """Wait until the keeper has everything that a dead writer sent."""
        deadline = time.monotonic() + HANG_S
        while writer.number not in self._ledger.gone:
            require(time.monotonic() < deadline, "the keeper hangs")
            time.sleep(0.002)
            self._ledger.read_on()

    def look(self) -> None:
        """The cheap check."""
        assert self._log is not None
        self._loop.run(self._checker.look(self._log))
        self._count()

    def finish(self) -> None:
        """The complete check, with a log of its own."""
        self._loop.run(self._finish())
        self._count()

    async def _finish(self) -> None:
        async with self.home.open_to_look() as log:
            report = await self._checker.finish(log)
        self.tally.verified = f"ok, checkpoint {report.checkpoint}"

    def _count(self) -> None:
        tally, checker = self.tally, self._checker
        tally.acknowledged = len(self._ledger.acknowledged)
        tally.stored = len(checker.stored)
        tally.take_overs = len(checker.conductors)
        tally.unacknowledged = len(checker.stored) - len(checker.of_the_run) - tally.acknowledged

    def _start_writer(self) -> None:
        number = len(self._writers) + 1
        command = [
            *(sys.executable, "-m", "tests.chaos.writer", f"--backend={self.home.backend}"),
            *(f"--home={self.home.folder}", f"--run={self.run_id}", f"--seed={self._seed}"),
            *(f"--keeper={self._socket}", f"--pause={self._pause_s}"),
        ]
        self._writers.append(WriterProcess(number, command, self.folder / f"writer-{number}.err"))

    def clear(self) -> None:
        """Leave no process behind."""
        for writer in self._writers:
            writer.clear()
        self.home.clear()
        if self._keeper is not None:
            self._keeper.kill()
            self._keeper.communicate()
        if self._log is not None:
            self._loop.run(self._log.close())
        self._loop.close()

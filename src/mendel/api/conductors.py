"""The processes that conduct runs for this server: one per run, a limited number at once, the others queued.

A conductor uses a whole core, so it runs in its own process and does not slow down the page. It is started like the
command in a terminal and stopped like Ctrl-C: nothing in the log is lost or repeated. Two conductors of one run are
impossible, because the log has one writer (rule 2); the second conductor reports this and ends.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Final

import orjson
import structlog

from mendel.contracts.errors import CommandNotPossible, RunBusy
from mendel.contracts.events.run import ConductorTookOver
from mendel.ports.closing import Closing
from mendel.ports.event_log import EventLog

GRACE_S: Final = 20.0  # for conductors to end before they are killed
HEARD_S: Final = 30.0  # for a conductor to take its run
PAUSES_S: Final = (1.0, 5.0, 25.0)
"""Pauses before restarting a killed conductor, for example after running out of memory; then a person must act."""
_TAIL: Final = 4_000  # bytes of output kept
_INTERRUPTED: Final = 130
_ORDINARY: Final = frozenset({RunBusy.code, CommandNotPossible.code})
"""Normal errors of a second conductor: another one has the run, or the run is over."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, negative for a signal, and its error, if any."""

    code: int
    error: str | None = None
    message: str = ""

    @property
    def killed(self) -> bool:
        """Whether a signal ended it."""
        return self.code < 0


@dataclass
class _Child:
    """A process that conducts a run or is queued; ``asked`` if a command was submitted to its run."""

    task: asyncio.Task[Ended] | None = None
    process: asyncio.subprocess.Process | None = None
    asked: bool = False

    @property
    def lives(self) -> bool:
        """Whether the process is running."""
        return self.process is not None and self.process.returncode is None

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it is running."""
        if self.process is not None and self.lives:
            with suppress(ProcessLookupError):
                self.process.send_signal(number)


class Conductors(Closing):
    """Conducts runs. ``command`` is the call of `mendel`, to which subcommands are appended."""

    def __init__(
        self,
        log: EventLog,
        command: Sequence[str],
        *,
        most: int,
        environment: Mapping[str, str] | None = None,
        grace_s: float = GRACE_S,
        pauses_s: Sequence[float] = PAUSES_S,
    ) -> None:
        self._log = log
        self._command = tuple(command)
        self._environment = dict(environment) if environment is not None else None
        self._grace_s = grace_s
        self._pauses_s = tuple(pauses_s)
        self._places = asyncio.Semaphore(most)  # fair: queued runs start in their order
        self._conducting: dict[str, _Child] = {}
        self._answering: dict[str, _Child] = {}
        self._closed = False

    def here(self) -> frozenset[str]:
        """The runs that this server conducts or has queued."""
        return frozenset(self._conducting)

    def conduct(self, run_id: str) -> None:
        """Conduct a run as soon as a place is free; a no-op if it is conducted or queued already."""
        if not self._closed and run_id not in self._conducting:
            child = self._conducting[run_id] = _Child()
            child.task = self._begun(self._conducted(run_id, child), self._conducting, run_id)

    async def take(self, run_id: str) -> None:
        """Conduct a run, and wait until its conductor has taken it or is queued.

        Raises:
            RunBusy: another process conducts the run.
            CommandNotPossible: the run cannot be conducted here; the message gives the reason.
        """
        start = (await self._log.tip(run_id)).next  # before the start, so that its first event is not missed
        self.conduct(run_id)
        child = self._conducting.get(run_id)
        # Queued runs may wait for hours; the caller does not.
        if child is None or child.task is None or (child.process is None and self._places.locked()):
            return
        taken = asyncio.create_task(self._taken(run_id, child, start))
        try:
            await asyncio.wait((child.task, taken), timeout=HEARD_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            taken.cancel()
        if child.task.done() and not child.task.cancelled():
            _refuse_unconducted(run_id, child.task.result())

    def answer(self, run_id: str) -> None:
        """Make sure that a submitted command is handled: by the run's conductor, or else by a process for this."""
        if self._closed:
            return
        child = self._conducting.get(run_id)
        if child is not None and child.process is not None:
            child.asked = True
            return
        if child is not None and child.task is not None:  # queued: after a command, it must not begin
            del self._conducting[run_id]
            child.task.cancel()
        if run_id not in self._answering:
            answering = self._answering[run_id] = _Child()
            answering.task = self._begun(self._run(run_id, "answer", answering), self._answering, run_id)

    async def aclose(self) -> None:
        """Interrupt every conductor, like Ctrl-C, and wait for it; kill those that do not end in time."""
        self._closed = True
        children = [*self._conducting.values(), *self._answering.values()]
        tasks = [child.task for child in children if child.task is not None]
        for child in children:
            child.signal(signal.SIGINT)
            if child.task is not None and not child.lives:  # queued, or between two attempts
                child.task.cancel()
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=self._grace_s)
        if late:
            for child in children:
                child.signal(signal.SIGKILL)
            await asyncio.wait(late)

    # --- one process -----------------------------------------------------------------------------------------

    def _begun(self, work: Coroutine[None, None, Ended], where: dict[str, _Child], run_id: str) -> asyncio.Task[Ended]:
        child = where[run_id]

        def done(task: asyncio.Task[Ended]) -> None:
            if where.get(run_id) is child:  # it may have been replaced
                del where[run_id]
            if not task.cancelled() and task.exception() is not None:
                _told().error("conductor_not_started", run_id=run_id, exc_info=task.exception())

        task = asyncio.create_task(work, name=f"conductor of {run_id}")
        task.add_done_callback(done)
        return task

    async def _conducted(self, run_id: str, child: _Child) -> Ended:
        async with self._places:
            ended = await self._run(run_id, "resume", child)
            for pause_s in self._pauses_s:
                if not ended.killed or child.asked or self._closed:  # only a killed conductor is restarted
                    break
                await asyncio.sleep(pause_s)
                ended = await self._run(run_id, "resume", child)
        if child.asked and ended.code != 0 and not self._closed:  # it may have died before handling the command
            self._conducting.pop(run_id, None)
            self.answer(run_id)
        return ended

    async def _run(self, run_id: str, word: str, child: _Child) -> Ended:
        process = child.process = await asyncio.create_subprocess_exec(
            *(*self._command, word, run_id, "--json"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment,
            start_new_session=True,  # Ctrl-C in the server's terminal must reach only the server
        )
        told = _told().bind(run_id=run_id, command=word, pid=process.pid)
        told.info("conductor_began")
        try:
            ended = await _ended(process)
        except asyncio.CancelledError:
            child.signal(signal.SIGKILL)
            raise
        _tell(told, ended)
        return ended

    async def _taken(self, run_id: str, child: _Child, start: int) -> None:
        """Wait until the process started here has taken the run."""
        async with aclosing(self._log.follow(run_id, start)) as events:
            async for event in events:
                pid = child.process.pid if child.process is not None else None
                if isinstance(event.payload, ConductorTookOver) and event.payload.conductor.endswith(f":{pid}"):
                    return


def _told() -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
    return logger


async def _ended(process: asyncio.subprocess.Process) -> Ended:
    """Wait for a process while reading its output, so that a full pipe never blocks it."""
    out, err = await asyncio.gather(_tail(process.stdout), _tail(process.stderr))
    code = await process.wait()
    try:
        said = orjson.loads(out)
    except orjson.JSONDecodeError:  # it ended without an answer; the last line of its output must do
        return Ended(code, message=err.strip().rpartition("\n")[2])
    return Ended(code, *_failure(said))


async def _tail(stream: asyncio.StreamReader | None) -> str:
    """Read a stream to its end and return only the last part."""
    kept = b""
    while stream is not None and (chunk := await stream.read(65_536)):
        kept = (kept + chunk)[-_TAIL:]
    return kept.decode("utf-8", "replace")


def _failure(said: object) -> tuple[str | None, str]:
    """Return the error code and message from a command's answer, or the status of its run."""
    runs = said.get("runs") if isinstance(said, dict) else None
    places = [place for place in (said, *(runs if isinstance(runs, list) else [])) if isinstance(place, dict)]
    for place in places:
        if isinstance(error := place.get("error"), dict):
            return str(error.get("code")), str(error.get("message"))
    return None, ", ".join(f"the run is {place['status']}" for place in places if "status" in place)


def _tell(told: structlog.stdlib.BoundLogger, ended: Ended) -> None:
    if ended.code == 0:
        told.info("conductor_ended", code=0)
    elif ended.code == _INTERRUPTED or ended.error in _ORDINARY:
        told.info("conductor_ended", code=ended.code, reason=ended.error or "interrupted")
    elif ended.code < 0:
        told.error("conductor_died", code=ended.code, reason=signal.Signals(-ended.code).name)
    else:
        told.warning("conductor_ended", code=ended.code, reason=ended.error, message=ended.message)


def _refuse_unconducted(run_id: str, ended: Ended) -> None:
    if ended.error == RunBusy.code:
        raise RunBusy(f"run {run_id} is conducted by another process, which handles stop, kill and cancel")
    if ended.error is not None or ended.code < 0:
        raise CommandNotPossible(f"run {run_id} cannot be conducted here: {ended.message or ended.code}")

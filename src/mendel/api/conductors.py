"""The processes that conduct runs for this server: one for each run, some at once, the rest wait their turn.

A conductor takes a core, so that it is a process of its own and the page stays quick. It is started as from
a terminal, and is stopped as by Ctrl-C: nothing that stands in the log is lost or done again. Two
conductors of one run cannot be: the log has one writer (rule 2), and the second one says so and ends.
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

GRACE_S: Final = 20.0
HEARD_S: Final = 30.0
PAUSES_S: Final = (1.0, 5.0, 25.0)
"""Before a conductor that was killed, by a lack of memory say, is followed by another; then a person has to look."""
_TAIL: Final = 4_000
_INTERRUPTED: Final = 130
_ORDINARY: Final = frozenset({RunBusy.code, CommandNotPossible.code})
"""What a second conductor says: another one has the run, or it is over."""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, negative for a signal, and what was wrong, if anything was."""

    code: int
    error: str | None = None
    message: str = ""

    @property
    def killed(self) -> bool:
        """Whether it was ended from outside."""
        return self.code < 0


@dataclass
class _Child:
    """A process that conducts a run, or waits for its turn to; ``asked`` while it has been notified of a command."""

    task: asyncio.Task[Ended] | None = None
    process: asyncio.subprocess.Process | None = None
    asked: bool = False

    @property
    def lives(self) -> bool:
        """Whether there is a process, and it has not ended."""
        return self.process is not None and self.process.returncode is None

    def signal(self, number: signal.Signals) -> None:
        """Tell the process, if it lives."""
        if self.process is not None and self.lives:
            with suppress(ProcessLookupError):
                self.process.send_signal(number)


class Conductors(Closing):
    """Conducts runs. ``command`` is how `mendel` is called; the words of a command are put after it."""

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
        self._places = asyncio.Semaphore(most)
        self._conducting: dict[str, _Child] = {}
        self._answering: dict[str, _Child] = {}
        self._closed = False

    def here(self) -> frozenset[str]:
        """The runs that are conducted here, or wait for it."""
        return frozenset(self._conducting)

    def conduct(self, run_id: str) -> None:
        """Have a run conducted, as soon as there is a place; nothing where it is already."""
        if not self._closed and run_id not in self._conducting:
            child = self._conducting[run_id] = _Child()
            child.task = self._begun(self._conducted(run_id, child), self._conducting, run_id)

    async def take(self, run_id: str) -> None:
        """As ``conduct``, and wait until it has the run, or waits for a place.

        Raises:
            RunBusy: another process conducts it.
            CommandNotPossible: it cannot be conducted here; the message says why.
        """
        start = (await self._log.tip(run_id)).next
        self.conduct(run_id)
        child = self._conducting.get(run_id)
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
        """See that a command that was left for a run is heard: where it has no conductor, a process answers for it."""
        if self._closed:
            return
        child = self._conducting.get(run_id)
        if child is not None and child.process is not None:
            child.asked = True
            return
        if child is not None and child.task is not None:  # it waits for its turn, and is not to begin any more
            del self._conducting[run_id]
            child.task.cancel()
        if run_id not in self._answering:
            answering = self._answering[run_id] = _Child()
            answering.task = self._begun(self._run(run_id, "answer", answering), self._answering, run_id)

    async def aclose(self) -> None:
        """Interrupt every conductor, as Ctrl-C does, and wait for it; what will not end in time is killed."""
        self._closed = True
        children = [*self._conducting.values(), *self._answering.values()]
        tasks = [child.task for child in children if child.task is not None]
        for child in children:
            child.signal(signal.SIGINT)
            if child.task is not None and not child.lives:
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
            if where.get(run_id) is child:
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
                if not ended.killed or child.asked or self._closed:
                    break
                await asyncio.sleep(pause_s)
                ended = await self._run(run_id, "resume", child)
        if child.asked and ended.code != 0 and not self._closed:  # it has died without an answer, perhaps
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
            start_new_session=True,
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
        """Wait until the process that was started here has the run."""
        async with aclosing(self._log.follow(run_id, start)) as events:
            async for event in events:
                pid = child.process.pid if child.process is not None else None
                if isinstance(event.payload, ConductorTookOver) and event.payload.conductor.endswith(f":{pid}"):
                    return


def _told() -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
    return logger


async def _ended(process: asyncio.subprocess.Process) -> Ended:
    """Wait for a process, and read what it says, so that it never waits for a reader."""
    out, err = await asyncio.gather(_tail(process.stdout), _tail(process.stderr))
    code = await process.wait()
    try:
        said = orjson.loads(out)
    except orjson.JSONDecodeError:  # it did not get to answer: the last of what it wrote is all there is
        return Ended(code, message=err.strip().rpartition("\n")[2])
    return Ended(code, *_failure(said))


async def _tail(stream: asyncio.StreamReader | None) -> str:
    """The end of what is written there; the rest is let go as it comes."""
    kept = b""
    while stream is not None and (chunk := await stream.read(65_536)):
        kept = (kept + chunk)[-_TAIL:]
    return kept.decode("utf-8", "replace")


def _failure(said: object) -> tuple[str | None, str]:
    """Code and message of the error that a command has answered with, or how the run stands that it is about."""
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
        raise RunBusy(f"run {run_id} is conducted by another process, which hears stop, kill and cancel")
    if ended.error is not None or ended.code < 0:
        raise CommandNotPossible(f"run {run_id} cannot be conducted here: {ended.message or ended.code}")

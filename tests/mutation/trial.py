"""The tests of a room, collected once and run against one mutant after the other, each in a fork."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from cProfile import Profile
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, Literal

import pytest
from _pytest.runner import runtestprotocol
from tests.mutation.drawing import Mutant

Fate = Literal["killed", "timeout", "survived", "uncovered"]
FATES: Final[tuple[Fate, ...]] = ("killed", "timeout", "survived", "uncovered")
_SURVIVED, _KILLED = 0, 1
_PATIENCE_S: Final = 10.0
_TIMES: Final = 20.0
_STUCK_S: Final = 60.0


class Trials:
    """A plug-in of pytest whose run of the tests is the trials."""

    def __init__(self, mutants: Sequence[Mutant], room: Path, jobs: int) -> None:
        self.fates: dict[Mutant, Fate] = {}
        self._mutants = mutants
        self._room = str(room) + os.sep
        self._jobs = jobs
        self._took: dict[str, float] = {}
        self._executed: dict[str, set[str]] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Trace, then try every mutant."""
        began = time.monotonic()
        _begin(session)
        self._trace(session)
        say(
            f"{len(session.items)} tests, {sum(map(len, self._executed.values()))} functions of tests, traced "
            f"in {time.monotonic() - began:.0f} s"
        )
        running: dict[int, Mutant] = {}
        for mutant in self._mutants:
            chosen = self._tests_of(mutant, session.items)
            if not chosen:
                self.fates[mutant] = "uncovered"
                continue
            if len(running) >= self._jobs:
                self._reap(running)
            running[_forked(lambda mutant=mutant, chosen=chosen: self._try(mutant, chosen))] = mutant
        while running:
            self._reap(running)
        say(f"{len(self._mutants)} mutants in {time.monotonic() - began:.0f} s")
        return True

    def _tests_of(self, mutant: Mutant, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Those that call its function, the quickest first."""
        path, line = mutant.function
        chosen = [item for item in items if f"{path}:{line}" in self._executed.get(item.nodeid, ())]
        return sorted(chosen, key=lambda item: self._took[item.nodeid])

    # --- tracing -----------------------------------------------------------------------------------------------------

    def _trace(self, session: pytest.Session) -> None:
        """What every test executes; those that fail as they are take no part."""
        with tempfile.TemporaryDirectory() as folder:
            shares = [session.items[start :: self._jobs] for start in range(self._jobs)]
            places = [Path(folder) / str(number) for number in range(self._jobs)]
            pids = [
                _forked(lambda share=share, place=place: self._trace_share(share, place))
                for share, place in zip(shares, places, strict=True)
            ]
            for pid in pids:
                os.waitpid(pid, 0)
            for place in places:
                for line in place.read_text().splitlines():
                    name, passed, took, called = json.loads(line)
                    if not passed:
                        say(f"fails without a mutant: {name}")
                        continue
                    self._took[name] = took
                    self._executed[name] = set(called)

    def _trace_share(self, items: Sequence[pytest.Item], place: Path) -> int:
        """Each test in turn; one that does not end under a profiler takes no part, and a new process does the rest."""
        ordered, done = sorted(items, key=lambda item: item.nodeid), 0
        while done < len(ordered):
            pid = _forked(partial(self._trace_until_stuck, ordered[done:], place))
            os.waitpid(pid, 0)
            _end_what_it_started(pid)
            done = len(place.read_text().splitlines()) if place.exists() else 0
            if done < len(ordered):
                with place.open("a") as file:
                    file.write(json.dumps([ordered[done].nodeid, False, 0.0, []]) + "\n")
                done += 1
        return _SURVIVED

    def _trace_until_stuck(self, items: Sequence[pytest.Item], place: Path) -> int:
        with place.open("a") as file:
            for item in items:
                signal.setitimer(signal.ITIMER_REAL, _STUCK_S)  # the default of SIGALRM ends the process
                began = time.monotonic()
                with _called(self._room) as seen:
                    passed = _passes(item)
                file.write(json.dumps([item.nodeid, passed, time.monotonic() - began, sorted(seen)]) + "\n")
                file.flush()
        return _SURVIVED

    # --- one mutant --------------------------------------------------------------------------------------------------

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item]) -> int:
        _put_in(mutant)
        for item in items:
            limit = _PATIENCE_S + _TIMES * self._took[item.nodeid]
            signal.setitimer(signal.ITIMER_REAL, limit)
            if not _passes(item):
                return _KILLED
        return _SURVIVED

    def _reap(self, running: dict[int, Mutant]) -> None:
        pid, status = os.waitpid(-1, 0)
        mutant = running.pop(pid, None)
        if mutant is None:
            return
        _end_what_it_started(pid)
        if os.WIFSIGNALED(status):
            self.fates[mutant] = "timeout" if os.WTERMSIG(status) == signal.SIGALRM else "killed"
        else:
            self.fates[mutant] = "survived" if os.WEXITSTATUS(status) == _SURVIVED else "killed"


def _end_what_it_started(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _begin(session: pytest.Session) -> None:
    """Set up what lives as long as the session, so that it is set up once."""
    first = session.items[0]
    runtestprotocol(first, log=False, nextitem=session.items[-1])


def _passes(item: pytest.Item) -> bool:
    item.session._setupstate.teardown_exact(item)
    reports = runtestprotocol(item, log=False, nextitem=item)
    return not any(report.failed for report in reports)


def _forked(act: Callable[[], int]) -> int:
    """The process, leader of a group of its own, in which it is done."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = _KILLED
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        gc.unfreeze()
        code = act()
    finally:
        os._exit(code)


def _put_in(mutant: Mutant) -> None:
    """Every function of the file that exists gets the changed code."""
    codes, path = mutant.codes(), str(mutant.path)
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and found.__code__.co_filename == path:
            key = (found.__code__.co_qualname, found.__code__.co_firstlineno)
            found.__code__ = codes.get(key, found.__code__)


@contextmanager
def _called(room: str) -> Iterator[set[str]]:
    """The functions of the room that are called meanwhile, in any thread.

    A profiler notes them at a fraction of what a trace of lines costs, which took an hour for the kernel's tests.
    """
    profiles = [Profile()]
    seen: set[str] = set()

    def begin(_frame: FrameType, _event: str, _given: Any) -> None:
        profiles.append(Profile())
        profiles[-1].enable()

    threading.setprofile(begin)
    profiles[0].enable()
    try:
        yield seen
    finally:
        profiles[0].disable()
        threading.setprofile(None)  # type: ignore[arg-type]
        codes = (entry.code for profile in profiles for entry in profile.getstats())
        seen |= {
            f"{code.co_filename}:{code.co_firstlineno}"
            for code in codes
            if isinstance(code, CodeType) and code.co_filename.startswith(room)
        }


def say(text: str) -> None:
    """Tell whoever waits; tests capture the streams that Python knows."""
    assert sys.__stdout__ is not None
    sys.__stdout__.write(text + "\n")
    sys.__stdout__.flush()

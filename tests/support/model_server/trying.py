"""Runs programs on cases and counts what they do; a process of its own, because they may loop, fill memory or exit.

Started as ``python -I trying.py``: on stdin ``{"function": name, "programs": [source, …], "cases": [[arguments,
expected], …], "all": bool}``, arguments as the text of a tuple and expected as a text, or null for "as the first
program answers". On stdout, for each program, ``[right, opcodes]``: at how many cases it is right, and how much it did
for them; one that does not answer them all did as much as can be. Unless ``all`` is said, nobody is asked again after a
case at which he is wrong. Nothing here asks a clock but to end what would never end: counts are the same every time.
"""

from __future__ import annotations

import ast
import json
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final

MEMORY: Final = 1 << 29
PATIENCE_S: Final = 5.0
ROOM: Final = 10_000
"""So many opcodes more than the first program, and half as many again, a program may take for all cases."""
Cases = list[list[str]]


class TooMuch(BaseException):
    """A program did more than it may."""


class Counter:
    """Counts opcodes up to a limit."""

    def __init__(self, limit: float) -> None:
        self.count = 0
        self._limit = limit

    def trace(self, frame: FrameType, event: str, _argument: object) -> Callable[..., Any]:
        """A trace function."""
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        if event == "opcode":
            self.count += 1
            if self.count > self._limit:
                raise TooMuch
        return self.trace


def ran(source: str, function: str, cases: Cases, counter: Counter) -> Iterator[str]:
    """What a program answers at each case; nothing more after one at which it does too much or exits."""
    names: dict[str, Any] = {"__name__": "tried"}
    signal.setitimer(signal.ITIMER_PROF, PATIENCE_S)
    try:
        exec(compile(source, "tried.py", "exec"), names)
        for given, _ in cases:
            yield _answer(names[function], ast.literal_eval(given), counter)
    # Broad on purpose: whatever a program does, exiting included, ends its answers.
    except BaseException:  # noqa: BLE001
        return
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _answer(called: Callable[..., object], arguments: tuple[object, ...], counter: Counter) -> str:
    before = repr(arguments)
    sys.settrace(counter.trace)
    try:
        answer = called(*arguments)
    # Broad on purpose: what a program raises is its answer.
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__} is raised"
    finally:
        sys.settrace(None)
    meddles = repr(arguments) != before or any(
        answer is each for each in arguments if isinstance(each, list | dict | set)
    )
    return "meddles" if meddles else repr(answer)


def counted(asked: dict[str, Any]) -> list[tuple[int, int]]:
    """Counts of every program."""
    function, cases, programs = asked["function"], asked["cases"], asked["programs"]
    first = Counter(float("inf"))
    own = [*ran(programs[0], function, cases, first), *([""] * len(cases))]
    right = [expected if expected is not None else own[place] for place, (_, expected) in enumerate(cases)]
    found = []
    for source in programs:
        counter = Counter(ROOM + 1.5 * first.count)
        agrees = _agreeing(ran(source, function, cases, counter), right, every=asked["all"])
        found.append((sum(agrees), counter.count if len(agrees) == len(cases) else sys.maxsize))
    return found


def _agreeing(answers: Iterator[str], right: list[str], *, every: bool) -> list[bool]:
    """Whether each answer is right; unless ``every`` one is wanted, up to the first that is not."""
    agrees = []
    for expected in right:
        answer = next(answers, None)
        if answer is None or (agrees and not agrees[-1] and not every):
            break
        agrees.append(answer == expected)
    return agrees


def _late(*_: object) -> None:
    raise TooMuch


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _late)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    json.dump(counted(json.load(sys.stdin)), sys.stdout)

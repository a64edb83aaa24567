"""Sample handlers for testing a fabric, each with one behaviour that it must survive, and a sandbox for workers.

A handler takes its instructions from its operation's inputs and returns its findings in the answer. ``REFERENCES``
names all of them, for fabrics that take handlers by dotted reference.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

from mendel.contracts.base import JsonObject
from mendel.contracts.energy import Usage
from mendel.contracts.errors import HandlerFailed, SandboxUnavailable
from mendel.contracts.evaluations import Case, Isolation, Outcome, Program, ResourceUse
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.work import Answer, Work
from mendel.ports.handlers import Ports
from mendel.ports.sandbox import Ask, Attempt, Sandbox

_LONG_S = 3_600  # longer than any test
_PROGRAM = Program.of("def same(value):\n    return value\n", "same")


class StatedSandbox(Sandbox):
    """Pretends to run programs, with the stated isolation; without one it does not start."""

    def __init__(self, isolation: Isolation | None) -> None:
        self._isolation = isolation

    async def attempt(self, ask: Ask) -> Attempt:
        """Return the first argument of each case as its value."""
        outcomes = tuple(Outcome("value", case.args[0]) for case in ask.cases)
        return Attempt(outcomes, ResourceUse(0.001, 0.001, 1, 1), await self.isolation())

    async def isolation(self) -> Isolation:
        """Return the stated isolation."""
        if self._isolation is None:
            raise SandboxUnavailable("seccomp is not there")
        return self._isolation

    async def aclose(self) -> None:
        """Do nothing."""


def told(work: Work) -> JsonObject:
    """Return the data of the operation's inputs."""
    return work.operation.inputs.data if work.operation.inputs is not None else {}


def found(data: JsonObject) -> Answer:
    """Return an answer with ``data`` as its findings."""
    return Answer(findings=DomainPayload(domain="sample", kind="findings", data=data), usage=Usage(tool_calls=1))


def _leave_a_mark(work: Work) -> None:
    """Append a line to the file that the operation names: its label, or the id of the process."""
    with Path(str(told(work)["marks"])).open("a") as marks:
        marks.write(f"{told(work).get('label', os.getpid())}\n")


def echo(work: Work) -> Answer:
    """Return the inputs as findings."""
    return found(told(work))


async def echo_inline(work: Work) -> Answer:
    """Like ``echo``, in the conductor's process."""
    await asyncio.sleep(0)
    return found(told(work))


async def delegate(work: Work, ports: Ports) -> Answer:
    """Request as many children as the inputs say, all at once, and return their answers."""
    indices = range(int(str(told(work)["children"])))
    asked = [ports.children.perform("sample.echo", work.operation.inputs, index=index) for index in indices]
    answers = await asyncio.gather(*asked)
    return found({"answers": [each.summary for each in answers]})


async def evaluate(_: Work, ports: Ports) -> Answer:
    """Run a program once in the sandbox and return nothing of it."""
    await ports.sandbox.evaluate(_PROGRAM, [Case((1,))])
    return found({})


def count(work: Work) -> Answer:
    """Leave a mark."""
    _leave_a_mark(work)
    return found({"pid": os.getpid()})


def wait_for(work: Work) -> Answer:
    """Leave a mark, and wait until the file ``until`` exists."""
    _leave_a_mark(work)
    while not Path(str(told(work)["until"])).exists():
        time.sleep(0.005)
    return found({})


async def wait_inline(work: Work) -> Answer:
    """Leave a mark, wait for ever, and leave another mark when stopped."""
    _leave_a_mark(work)
    try:
        await asyncio.sleep(_LONG_S)
    finally:
        _leave_a_mark(work)
    return found({})


def beat(work: Work) -> Answer:
    """Leave mark after mark."""
    while True:
        _leave_a_mark(work)
        time.sleep(0.005)


async def beat_inline(work: Work) -> Answer:
    """Like ``beat``, in the conductor's process."""
    while True:
        _leave_a_mark(work)
        await asyncio.sleep(0.005)


async def stubborn_inline(_: Work) -> Answer:
    """Return an answer even though the handler was cancelled."""
    try:
        await asyncio.sleep(_LONG_S)
    except asyncio.CancelledError:
        return found({})
    return found({})


def spin(work: Work) -> Answer:
    """Leave a mark and compute for ever."""
    _leave_a_mark(work)
    while True:
        pass


def sleep(work: Work) -> Answer:
    """Leave a mark and sleep for ever."""
    _leave_a_mark(work)
    time.sleep(_LONG_S)
    return found({})


def start_a_child(work: Work) -> Answer:
    """Start a process that sleeps for ever, leave its id as a mark, and sleep as well."""
    child = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({_LONG_S})"])  # noqa: S603 - our own
    with Path(str(told(work)["marks"])).open("a") as marks:
        marks.write(f"{child.pid}\n")
    time.sleep(_LONG_S)
    return found({})


def die(work: Work) -> Answer:
    """Leave a mark and end the process like a crash."""
    _leave_a_mark(work)
    os._exit(7)


def die_once(work: Work) -> Answer:
    """Die at the first call, return an answer at the second."""
    first = not Path(str(told(work)["marks"])).exists()
    _leave_a_mark(work)
    if first:
        os._exit(7)
    return found({})


def fork_and_die(work: Work) -> Answer:
    """End the process, and leave a copy behind that holds all its descriptors open."""
    _leave_a_mark(work)
    if os.fork() == 0:
        time.sleep(_LONG_S)
    os._exit(7)


def fork_and_answer(_: Work) -> Answer:
    """Return twice: in the process, and in a copy of it."""
    os.fork()
    return found({})


def fail(_: Work) -> Answer:
    """Fail with a reason and the usage so far."""
    raise HandlerFailed("out_of_luck", "no luck today", usage=Usage(tokens_in=7), attempts=3)


async def fail_inline(work: Work) -> Answer:
    """Like ``fail``, in the conductor's process."""
    fail(work)
    return found({})


def _raise(work: Work) -> None:
    match told(work)["what"]:
        case "exit":
            sys.exit(3)
        case "interrupt":
            raise KeyboardInterrupt
        case "cancelled":
            raise asyncio.CancelledError
        case "nasty":
            raise ValueError("a\x00b\ud800" + "x" * 5_000)
        case "reason":
            raise HandlerFailed("Not A Code", "a reason that is none")
    raise ZeroDivisionError("by zero")


def misbehave(work: Work) -> Answer:
    """Raise the exception that the inputs name."""
    _raise(work)
    return found({})


async def misbehave_inline(work: Work) -> Answer:
    """Like ``misbehave``, in the conductor's process."""
    _raise(work)
    return found({})


def answer_nonsense(_: Work) -> str:
    """Return something that is not an answer."""
    return "forty-two"


async def answer_nonsense_inline(_: Work) -> str:
    """Like ``answer_nonsense``, in the conductor's process."""
    return "forty-two"


def answer_no_text(_: Work) -> Answer:
    """Return an answer that JSON cannot contain."""
    return found({"text": "\ud800"})


def talk(_: Work) -> Answer:
    """Write to both outputs and read from the input, which a fabric may use for its protocol."""
    sys.stdout.write("\x00\x00\x00\x05 nothing\n" * 1_000)
    os.write(1, b"\xff" * 10_000)
    sys.stderr.write("nothing\n")
    return found({"read": len(sys.stdin.read()) + len(os.read(0, 10))})


def shout(work: Work) -> Answer:
    """Return as many letters as the inputs say."""
    return found({"text": "x" * int(str(told(work)["size"]))})


_HANDLERS = (
    *(
        echo,
        echo_inline,
        delegate,
        evaluate,
        count,
        wait_for,
        wait_inline,
        beat,
        beat_inline,
        stubborn_inline,
        spin,
        sleep,
        start_a_child,
    ),
    *(die, die_once, fork_and_die, fork_and_answer, fail, fail_inline, misbehave, misbehave_inline),
    *(answer_nonsense, answer_nonsense_inline, answer_no_text, talk, shout),
)

REFERENCES = {f"sample.{handler.__name__}": f"{__name__}:{handler.__name__}" for handler in _HANDLERS}
"""Dotted references of the handlers, by step."""

"""Programs in any language as text: files that commands build, run and measure inside the sandbox.

The commands share the scratch folder and the user of their processes with the program that they run. The program can
therefore forge a status, an output or a time: these are evidence for breeding, never a verdict. A trustworthy check
compares outputs outside, with values that the program never saw. The total use of an evaluation is its ``usage``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from mendel.contracts.evaluations import MIB, Case, Grants, Limits, Outcome, Program
from mendel.contracts.plain_values import PlainValue

GRANTS: Final = Grants(commands=True)
LIMITS: Final = Limits(
    case_s=30.0,
    batch_s=120.0,
    memory_bytes=1_024 * MIB,
    result_bytes=32 * MIB,
    scratch_bytes=128 * MIB,
    scratch_files=4_096,
    open_files=256,
)
"""Enough for a compiler, and for runtimes that reserve more memory than they use."""

OUTPUT_BYTES: Final = 1 * MIB
"""Limit of a command's recorded output: its beginning is kept. Of the errors, the last ``ERROR_BYTES`` are kept."""

ERROR_BYTES: Final = 16 * 1_024
DRIVER: Final = "mendel_command.py"

Step = str | Sequence[str]
"""One command: a text for ``sh -c``, or a program and its arguments."""

_NO_VARIABLES: Final[Mapping[str, str]] = MappingProxyType({})
_SOURCE: Final = f"""
import sys

HERE = sys.path.pop(0)  # from here on no file of the program's passes for a module of the standard library

import os
import resource
import select
import signal
import subprocess
import time

MOST_OUTPUT, MOST_ERRORS = {OUTPUT_BYTES}, {ERROR_BYTES}
KEPT = {{
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": HERE,
    "TMPDIR": HERE,
    "LANG": "C.UTF-8",
}}


def run(steps, stdin="", seconds=10.0, variables=None, timed=True):
    environment = {{**(variables or {{}}), **KEPT}}
    told = []
    for number, step in enumerate(steps):
        command = ["/bin/sh", "-c", step] if isinstance(step, str) else list(step)
        given = stdin if number == len(steps) - 1 else ""
        status, output, errors, *times, over = one(command, given.encode("utf-8", "replace"), seconds, environment)
        told.append((status, output, errors, *(times if timed else (0.0, 0.0)), over))
        if told[-1][0] != 0:
            break
    return told


def one(command, given, seconds, environment):
    began, used = time.monotonic(), children_s()
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            command,
            cwd=HERE,
            env=environment,
            stdin=reading,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        os.close(writing)
        return 127, "", str(error), 0.0, 0.0, False
    finally:
        os.close(reading)
    deadline = began + seconds
    output, errors = exchanged(process, writing, given, deadline)
    over = outlasts(process, deadline)
    end_all(process)
    wall_s = time.monotonic() - began
    return process.returncode, text(output), text(errors), children_s() - used, wall_s, over


def exchanged(process, writing, given, deadline):
    output, errors = bytearray(), bytearray()
    out, err = process.stdout.fileno(), process.stderr.fileno()
    ended = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else -1
    poll = select.poll()
    for descriptor in (out, err, *([ended] if ended >= 0 else [])):
        poll.register(descriptor, select.POLLIN)
    os.set_blocking(writing, False)
    poll.register(writing, select.POLLOUT)
    at, open_ends = 0, {{out, err}}
    while open_ends and time.monotonic() < deadline:
        happened = dict(poll.poll(max(1, min(deadline - time.monotonic(), 60) * 1000)))
        if writing in happened:
            try:
                at += os.write(writing, given[at : at + 65536]) if at < len(given) else 0
            except OSError:
                at = len(given)
            if at >= len(given):
                poll.unregister(writing)
                os.close(writing)
                writing = -1
        for descriptor, kept in ((out, output), (err, errors)):
            if descriptor in happened:
                data = os.read(descriptor, 65536)
                kept += data
                if not data:
                    poll.unregister(descriptor)
                    open_ends.discard(descriptor)
        del output[MOST_OUTPUT:], errors[:-MOST_ERRORS]
        if ended in happened and not {{out, err}} & set(happened):
            break  # what it left running holds the pipes; it is not waited for
    for descriptor in (writing, ended):
        if descriptor >= 0:
            os.close(descriptor)
    return output, errors


def outlasts(process, deadline):
    try:
        process.wait(max(0.001, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return True
    return False


def end_all(process):
    if process.poll() is None:
        process.kill()
    process.wait()
    process.stdout.close()
    process.stderr.close()
    if os.getpid() == 1:  # the first of a namespace of its own: whoever is left was started by the command
        try:
            os.kill(-1, signal.SIGKILL)
            while True:
                os.waitpid(-1, 0)
        except OSError:
            pass


def children_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def text(data):
    return bytes(data).decode("utf-8", "replace")
"""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of one command: status (negative for a signal), the beginning of its output and the end of its errors.

    ``cpu_s`` covers all its child processes that were waited for. Both times are 0 for a case that is not timed.
    """

    status: int
    output: str
    errors: str
    cpu_s: float
    wall_s: float
    timed_out: bool

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself with status 0."""
        return self.status == 0 and not self.timed_out


def command_program(files: Mapping[str, str]) -> Program:
    """Return the program that runs commands among these files, for a :func:`command_case` under ``GRANTS``."""
    return Program({**files, DRIVER: _SOURCE}, "mendel_command:run", on_disk=True)


def command_case(
    *steps: Step,
    stdin: str = "",
    seconds: float = 10.0,
    variables: Mapping[str, str] = _NO_VARIABLES,
    timed: bool = True,
) -> Case:
    """Return a case that runs these commands in order until one fails; the last one receives ``stdin``.

    Each may take ``seconds``. It finds the files of the commands before it, including earlier cases of the same batch.
    The environment consists of ``variables`` and PATH, HOME, TMPDIR and LANG. Times differ between runs: without
    ``timed`` they are reported as 0, so that a sandbox's recheck gets equal results from an honest program.

    Raises:
        ValueError: there is no command, or an empty one.
    """
    if not steps or not all(steps):
        raise ValueError("a case needs at least one command, and a command at least one word")
    commands: list[PlainValue] = [step if isinstance(step, str) else [*step] for step in steps]
    return Case((commands, stdin, float(seconds), dict(variables), timed))


def results_of(outcome: Outcome) -> tuple[CommandResult, ...] | None:
    """Return the result of each command that was run, as its process reports it; None if the driver did not finish."""
    match outcome.value:
        case list() as told if told and all(_fits(step) for step in told):
            return tuple(_result(step) for step in told)
    return None


def result_of(outcome: Outcome) -> CommandResult | None:
    """Return the result of the last command that was run; None if the driver did not finish."""
    results = results_of(outcome)
    return results[-1] if results else None


def _fits(step: object) -> bool:
    # The value comes from the program's process, so its exact types are checked.
    return isinstance(step, tuple) and tuple(map(type, step)) == (int, str, str, float, float, bool)


def _result(step: Any) -> CommandResult:  # noqa: ANN401 - a tuple that fits
    return CommandResult(*step)

"""Whether a program leaves its arguments alone: answers are compared, and what it does to its input would not be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mendel.bench.workbench import Workbench
from mendel.contracts.evaluations import Case, Program
from mendel.guard.spec import Args
from mendel.ports.sandbox import Sandbox

_WATCHER: Final = "mendel_watch"
_SOURCE: Final = """
import copy
from {module} import {function} as watched


def watch(*arguments):
    before = copy.deepcopy(arguments)
    answer = watched(*arguments)
    if repr(before) != repr(arguments):
        return "changes its input in place"
    if any(answer is each for each in arguments if isinstance(each, (list, dict, set, bytearray))):
        return "answers with the very object it was given"
    return ""
"""
_KNOWN: Final = ("changes its input in place", "answers with the very object it was given")


async def meddling(bench: Workbench, program: Program, inputs: Sequence[Args], sandbox: Sandbox) -> str | None:
    """What the program does to its arguments that nobody would see in its answers; None where it is nothing.

    It runs in the program's own process, so a program that lies about it can; whether it then answers as the original
    does is another question, and asked outside.
    """
    module, _, function = bench.task.entry.partition(":")
    source = _SOURCE.format(module=module, function=function)
    watcher = Program({**program.files, f"{_WATCHER}.py": source}, f"{_WATCHER}:watch", program.shapes)
    cases = [Case(args) for args in inputs]
    found = await sandbox.evaluate(watcher, cases, limits=bench.limits(), grants=bench.grants, most_deaths=1)
    for args, outcome in zip(inputs, found.outcomes, strict=True):
        if outcome.succeeded and outcome.value in _KNOWN:
            return f"{outcome.value}, such as {str(args)[:120]}"
    return None

"""Whether answers are as good as the original's, and whether a program leaves its arguments alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from mendel.bench.workbench import Workbench
from mendel.contracts.evaluations import Case, Outcome, Program
from mendel.guard.checking import Breach
from mendel.guard.observing import Answers
from mendel.guard.spec import Args
from mendel.guard.trials import Trial
from mendel.ports.sandbox import Sandbox

RECHECKED: Final = 0.2
"""How many of the seen inputs are asked again, since one that answers differently then is out."""
EXHAUSTED: Final = frozenset({"timeout", "memory", "not_run"})
"""Nobody knows what the answer would have been."""


def against(bench: Workbench, trial: Trial, ours: Answers, theirs: Answers) -> Breach | None:
    """What speaks against a program's answers beside the original's; None where nothing does.

    The original is as good as itself: whoever ends without an answer as it does, raising the same or running out as
    well, is let pass, or else the original would fall as a founder. Beyond that the gate's rule holds, since what the
    gate rejects is better found out before, and an audit is no milder than it: where the original raised, an oracle
    wants the same raised; everywhere else the program has to answer, and properties and relations have to hold of that,
    also where the original ran out and has no say. Where it answered, an oracle wants the same answer.
    """
    oracle, checker = bench.rules.oracle, bench.checker
    if oracle and theirs.original.kind == "exception":
        return next(checker.mismatches(ours, theirs), None)
    if _end_alike(ours.original, theirs.original):
        return None
    return next(_breaches(bench, trial, ours, theirs), None) or (
        next(checker.mismatches(ours, theirs), None) if oracle else None
    )


def plain(bench: Workbench, index: int, args: Args) -> Trial:
    """A trial of an input alone: no relation is asked of it."""
    return Trial(index, args, (None,) * len(bench.spec.relations))


def plainly(bench: Workbench, outcome: Outcome) -> Answers:
    """What came of such a trial."""
    return Answers(outcome, (None,) * len(bench.spec.relations))


def told(bench: Workbench, trial: Trial, breach: Breach) -> str:
    """A breach in words, with the input that shows it."""
    given = bench.checker.shown_input(trial.args)
    return f"{breach.name}: {breach.detail or 'does not hold'}, on {given[:300]}"


def runs_out(answers: Answers) -> bool:
    """Whether the program ran out of time or memory on the input."""
    return answers.original.kind in EXHAUSTED


def _breaches(bench: Workbench, trial: Trial, ours: Answers, theirs: Answers) -> Iterator[Breach]:
    """What breaks the user's own rules, but for transformed inputs on which both end alike."""
    for breach in bench.checker.breaches(trial, ours):
        if breach.place is None or not _end_alike(ours.variants[breach.place], theirs.variants[breach.place]):
            yield breach


def _end_alike(ours: Outcome | None, theirs: Outcome | None) -> bool:
    """Whether neither has an answer, for the same reason."""
    if ours is None or theirs is None:
        return False
    if ours.kind == theirs.kind == "exception":
        return ours.error_type == theirs.error_type
    return ours.kind in EXHAUSTED and theirs.kind in EXHAUSTED


# --- what it does to its arguments -----------------------------------------------------------------------

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

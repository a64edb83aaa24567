"""Judging: whether answers are as good as the original's, and whether a program leaves its arguments alone."""

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
"""Share of the seen inputs that are called again; a candidate whose answer then differs is rejected."""
EXHAUSTED: Final = frozenset({"timeout", "memory", "not_run"})
"""Outcomes without an answer, and without a hint of what it would have been."""


def against(bench: Workbench, trial: Trial, ours: Answers, theirs: Answers) -> Breach | None:
    """Return the first breach in a program's answers, given the original's; None if there is none.

    The original must pass its own comparison as a founder, so a program may end without an answer as the original does:
    by raising the same, or by running out of resources too. Apart from that the gate's rule applies, so that faults are
    found before the gate, and an audit is as strict as it. Where the original raised, an oracle requires the same
    exception. Everywhere else the program must answer, even where the original ran out of resources, and its answer
    must satisfy the properties and relations. Where the original answered, an oracle requires the same answer.
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
    """Return a trial of the input alone, without the variants of relations."""
    return Trial(index, args, (None,) * len(bench.spec.relations))


def plainly(bench: Workbench, outcome: Outcome) -> Answers:
    """Return the answers of such a trial."""
    return Answers(outcome, (None,) * len(bench.spec.relations))


def told(bench: Workbench, trial: Trial, breach: Breach) -> str:
    """Describe a breach in words, with the input that shows it."""
    given = bench.checker.shown_input(trial.args)
    return f"{breach.name}: {breach.detail or 'does not hold'}, on {given[:300]}"


def runs_out(answers: Answers) -> bool:
    """Whether the program ran out of time or memory on the input."""
    return answers.original.kind in EXHAUSTED


def _breaches(bench: Workbench, trial: Trial, ours: Answers, theirs: Answers) -> Iterator[Breach]:
    """Yield breaches of the user's own rules, except on transformed inputs on which both programs end alike."""
    for breach in bench.checker.breaches(trial, ours):
        if breach.place is None or not _end_alike(ours.variants[breach.place], theirs.variants[breach.place]):
            yield breach


def _end_alike(ours: Outcome | None, theirs: Outcome | None) -> bool:
    """Whether neither gave an answer, for the same reason."""
    if ours is None or theirs is None:
        return False
    if ours.kind == theirs.kind == "exception":
        return ours.error_type == theirs.error_type
    return ours.kind in EXHAUSTED and theirs.kind in EXHAUSTED


# --- what a program does to its arguments -----------------------------------------------------------------

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
    """Return what the program does to its arguments without it showing in its answers; None if it leaves them alone.

    The check runs in the program's own process, so a program can cheat it. Whether its answers then still match the
    original's is checked separately, outside that process.
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

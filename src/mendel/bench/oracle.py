"""Checks that the original, and the user's own tests, can decide what is right; each refusal names its reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mendel.bench.judging import meddling
from mendel.bench.workbench import Workbench
from mendel.contracts.errors import NoInputs, OracleUnfit, TestsFail
from mendel.contracts.evaluations import MIB, Case, Evaluation, Grants, Limits, Outcome, Program
from mendel.guard.spec import Args
from mendel.ports.pytest_suite import GRANTS, reports_of, suite_program
from mendel.ports.sandbox import Sandbox

MOST_FAILING: Final = 0.5
"""If the original fails on a larger share of its inputs than this, they are not inputs that it is made for."""
FEW_DEATHS: Final = 4
"""After this many inputs on which it does not end, the others are not run."""
_FILES: Final = frozenset({"FileNotFoundError", "NotADirectoryError", "IsADirectoryError"})
_NETWORK: Final = frozenset(
    {"gaierror", "herror", "URLError", "ConnectError", "ConnectionError", "ConnectionRefusedError"}
)
_UNREACHABLE: Final = ("Network is unreachable", "name resolution")
_ASK_NOTHING: Final = (
    "pass what it reads as an argument instead, and let a task.py (--task FILE) make such arguments in"
    " generate(rng, size), or list some as examples"
)


async def vet(bench: Workbench, sandbox: Sandbox) -> list[Args]:
    """Refuse an original that cannot serve as an oracle; return the inputs on which it can.

    Raises:
        OracleUnfit: it raises, never ends, is random, changes its input, prints, or returns what cannot be passed on.
        NoInputs: no inputs can be made for it.
    """
    inputs = [trial.args for trial in bench.seen]
    if not inputs:
        raise NoInputs(f"no inputs can be made for {bench.task.function}")
    cases = [Case(args) for args in inputs]
    limits, grants = bench.limits(), bench.grants
    first = await sandbox.evaluate(bench.original, cases, limits=limits, grants=grants, most_deaths=FEW_DEATHS)
    _refuse_failing(bench, inputs, first.outcomes)
    inputs = [args for args, outcome in zip(inputs, first.outcomes, strict=True) if not endless(outcome)]
    # Run again, in other processes and with other string hashes, to see whether each answer repeats.
    cases = [Case(args) for args in inputs]
    evaluation = await sandbox.evaluate(
        bench.original, cases, limits=limits, grants=grants, recheck=1.0, other_hashes=True, most_deaths=FEW_DEATHS
    )
    await _refuse_random(bench, inputs, evaluation, sandbox)
    if evaluation.output.strip():
        raise OracleUnfit(
            f"{bench.task.function} prints ({evaluation.output.strip()[:60]!r}): printed output is not compared, so a"
            " faster version could just stop printing; let it return that instead"
        )
    await _refuse_changing(bench, inputs, sandbox)
    return [args for args, outcome in zip(inputs, evaluation.outcomes, strict=True) if outcome.succeeded]


def endless(outcome: Outcome) -> bool:
    """Whether it ran out of time or memory, or died; such an input is not run a second time."""
    return outcome.kind in ("timeout", "not_run", "memory", "killed")


def _refuse_failing(bench: Workbench, inputs: Sequence[Args], outcomes: Sequence[Outcome]) -> None:
    failed = [(args, outcome) for args, outcome in zip(inputs, outcomes, strict=True) if not outcome.succeeded]
    if not failed:
        return
    args, outcome = failed[0]
    if outcome.error_code == "SANDBOX_LOAD_FAILED":
        walled = barred(outcome)
        hint = f": {walled}; let the file hold what it needs when it is loaded" if walled else ""
        raise OracleUnfit(f"{bench.task.path} cannot be loaded: {outcome.error_type}: {outcome.message}{hint}")
    if outcome.kind == "violation":
        raise OracleUnfit(
            f"{bench.task.function} returns something that cannot leave the sandbox: {outcome.message};"
            " let it return plain data: numbers, texts, lists, dictionaries, dates"
        )
    share = len(failed) / len(outcomes)
    if share > MOST_FAILING:
        args, outcome = next(((args, each) for args, each in failed if barred(each)), failed[0])  # the clearest example
        raise OracleUnfit(
            f"{bench.task.function} {_what(outcome)} on {share:.0%} of the inputs, such as {str(args)[:120]}:"
            f" {_remedy(outcome)}"
        )


def _remedy(outcome: Outcome) -> str:
    walled = barred(outcome)
    if walled:
        return f"{walled}; {_ASK_NOTHING}"
    return (
        "it cannot decide what is right; give narrower type hints, or a task.py whose generate(rng, size) makes inputs"
        " that suit it"
    )


def barred(outcome: Outcome) -> str | None:
    """Return which restriction of the sandbox explains the program's exception; None if none does.

    A program chooses its own exceptions, so this only words a refusal and decides nothing.
    """
    if outcome.error_type in _FILES:
        return "it runs in a sandbox, which shows it none of your files"
    if outcome.error_type in _NETWORK or any(words in outcome.message for words in _UNREACHABLE):
        return "it runs in a sandbox, which has no network"
    if outcome.error_type == "PermissionError":
        return "it runs in a sandbox, which has no network, shows none of your files and starts no other programs"
    return None


def _what(outcome: Outcome) -> str:
    if outcome.kind == "exception":
        where = f" (line {outcome.line})" if outcome.line else ""
        return f"raises {outcome.error_type}: {outcome.message}{where}"
    return {"timeout": "does not end", "memory": "runs out of memory", "not_run": "does not end"}.get(
        outcome.kind, f"ends as {outcome.kind}"
    )


async def _refuse_random(bench: Workbench, inputs: Sequence[Args], evaluation: Evaluation, sandbox: Sandbox) -> None:
    if not (evaluation.stateful and evaluation.differing):
        return
    asked = str(inputs[evaluation.differing[0]])[:120]
    told = f"called twice with {asked} it answered differently ({len(evaluation.differing)} of {len(inputs)} inputs)"
    if await _steady_with_the_same_hashes(bench, inputs, sandbox):
        raise OracleUnfit(
            f"{bench.task.function} depends on the order of a set, or on hash(): {told}, but only in an interpreter"
            " with another hash seed, which every start of Python draws anew; sort what comes from the set, replace"
            " the set by dict.fromkeys(…) to keep the order of arrival, or return the set itself"
        )
    raise OracleUnfit(
        f"{bench.task.function} is random, or remembers: {told}; an oracle must give the same answer on every call"
    )


async def _steady_with_the_same_hashes(bench: Workbench, inputs: Sequence[Args], sandbox: Sandbox) -> bool:
    cases = [Case(args) for args in inputs]
    again = await sandbox.evaluate(
        bench.original, cases, limits=bench.limits(), grants=bench.grants, recheck=1.0, most_deaths=FEW_DEATHS
    )
    return again.stateful is False


async def _refuse_changing(bench: Workbench, inputs: Sequence[Args], sandbox: Sandbox) -> None:
    changed = await meddling(bench, bench.original, inputs, sandbox)
    if changed is not None:
        raise OracleUnfit(
            f"{bench.task.function} {changed}; only answers are compared, so let it work on a copy and return that"
        )


# --- the user's own tests ---------------------------------------------------------------------------------

SUITE_S: Final = 60.0
"""Time limit for a candidate's tests: several times that of the original's, for busy machines."""
ORIGINAL_S: Final = 15.0
"""Time limit for the original's tests: every candidate that gets that far runs them, while the user waits."""


async def failing(bench: Workbench, program: Program, sandbox: Sandbox, *, most_s: float = SUITE_S) -> str | None:
    """Run the suite on a program for at most ``most_s`` seconds; return why it fails, or None if every test passes."""
    suite = suite_program({**program.files, **bench.task.tests})
    grants = Grants(packages=(*GRANTS.packages, *bench.task.packages))
    case = Case(tuple(sorted(bench.task.tests)))
    limits = Limits(case_s=most_s, batch_s=most_s, memory_bytes=1024 * MIB, threads=8, open_files=256)
    outcome = (await sandbox.evaluate(suite, [case], limits=limits, grants=grants)).outcomes[0]
    if outcome.kind == "timeout":
        return f"they do not end within {most_s:g} s ({', '.join(sorted(bench.task.tests))})"
    reports = reports_of(outcome)
    if reports is None:
        return f"the tests did not complete: {outcome.message or outcome.kind}"
    bad = [report for report in reports if report.outcome not in ("passed", "skipped")]
    if bad:
        last = bad[0].text.strip().splitlines()[-1:] or [bad[0].outcome]
        return f"{len(bad)} of {len(reports)} tests fail, such as {bad[0].name}: {last[0]}"
    return None if reports else "it contains no tests"


async def vet_suite(bench: Workbench, sandbox: Sandbox) -> None:
    """Refuse a suite that the original itself does not pass, or that is too slow for the search.

    Raises:
        TestsFail: the original fails its tests, or they take too long.
    """
    if not bench.task.tests:
        return
    against = await failing(bench, bench.original, sandbox, most_s=ORIGINAL_S)
    if against is not None:
        raise TestsFail(
            f"the tests do not pass on the original, so they can screen nothing: {against}; fix them, or give --tests"
            " files without such tests"
        )

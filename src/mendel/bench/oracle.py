"""Whether the original, and the user's own tests, can say what is right; what cannot is refused by its name."""

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
"""If it fails on more of its inputs than this, the inputs are not those it is made for."""
FEW_DEATHS: Final = 4
"""After so many inputs on which it does not end nobody waits for the others."""
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
    """Refuse an original that is no oracle; the inputs on which it is one.

    Raises:
        OracleUnfit: it raises, never ends, is random, changes its input, prints, or answers what cannot cross.
        NoInputs: its inputs are none that it is made for.
    """
    inputs = [trial.args for trial in bench.seen]
    if not inputs:
        raise NoInputs(f"no inputs can be made for {bench.task.function}")
    cases = [Case(args) for args in inputs]
    limits, grants = bench.limits(), bench.grants
    first = await sandbox.evaluate(bench.original, cases, limits=limits, grants=grants, most_deaths=FEW_DEATHS)
    _refuse_failing(bench, inputs, first.outcomes)
    inputs = [args for args, outcome in zip(inputs, first.outcomes, strict=True) if not endless(outcome)]
    cases = [Case(args) for args in inputs]
    evaluation = await sandbox.evaluate(
        bench.original, cases, limits=limits, grants=grants, recheck=1.0, other_hashes=True, most_deaths=FEW_DEATHS
    )
    await _refuse_random(bench, inputs, evaluation, sandbox)
    if evaluation.output.strip():
        raise OracleUnfit(
            f"{bench.task.function} prints ({evaluation.output.strip()[:60]!r}): what it prints would not be compared,"
            " so that a faster one might just not print; let it return that instead"
        )
    await _refuse_changing(bench, inputs, sandbox)
    return [args for args, outcome in zip(inputs, evaluation.outcomes, strict=True) if outcome.succeeded]


def endless(outcome: Outcome) -> bool:
    """Whether it ran out of time or memory, or died; nobody waits for that twice."""
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
            f"{bench.task.function} answers with something that cannot leave the sandbox: {outcome.message};"
            " let it return plain data: numbers, texts, lists, dictionaries, dates"
        )
    share = len(failed) / len(outcomes)
    if share > MOST_FAILING:
        args, outcome = next(((args, each) for args, each in failed if barred(each)), failed[0])
        raise OracleUnfit(
            f"{bench.task.function} {_what(outcome)} on {share:.0%} of the inputs, such as {str(args)[:120]}:"
            f" {_remedy(outcome)}"
        )


def _remedy(outcome: Outcome) -> str:
    walled = barred(outcome)
    if walled:
        return f"{walled}; {_ASK_NOTHING}"
    return (
        "it cannot say what is right; give narrower type hints, or a task.py whose generate(rng, size) makes inputs"
        " that it is for"
    )


def barred(outcome: Outcome) -> str | None:
    """What a program wanted that no sandbox gives it, going by what it raised; None where it was nothing of the kind.

    A program's exceptions are its own word: this decides how a refusal reads, and nothing else.
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
    told = f"asked twice about {asked} it answered differently ({len(evaluation.differing)} of {len(inputs)} inputs)"
    if await _steady_with_the_same_hashes(bench, inputs, sandbox):
        raise OracleUnfit(
            f"{bench.task.function} depends on the order of a set, or on hash(): {told}, but only in an interpreter"
            " that hashes texts otherwise, as every start of Python does; sort what comes from the set, take"
            " dict.fromkeys(…) for the set to keep the order of arrival, or answer with the set itself"
        )
    raise OracleUnfit(
        f"{bench.task.function} is random, or remembers: {told}; an oracle answers the same whenever it is asked"
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
"""So long the tests of a candidate may take: several times what those of the original may, on a busy machine too."""
ORIGINAL_S: Final = 15.0
"""So long the tests of the original may take: every candidate that gets so far runs them, and a user waits."""


async def failing(bench: Workbench, program: Program, sandbox: Sandbox, *, most_s: float = SUITE_S) -> str | None:
    """What the suite has against a program; None where every test passes, in ``most_s`` seconds at most."""
    suite = suite_program({**program.files, **bench.task.tests})
    grants = Grants(packages=(*GRANTS.packages, *bench.task.packages))
    case = Case(tuple(sorted(bench.task.tests)))
    limits = Limits(case_s=most_s, batch_s=most_s, memory_bytes=1024 * MIB, threads=8, open_files=256)
    outcome = (await sandbox.evaluate(suite, [case], limits=limits, grants=grants)).outcomes[0]
    if outcome.kind == "timeout":
        return f"they do not end within {most_s:g} s ({', '.join(sorted(bench.task.tests))})"
    reports = reports_of(outcome)
    if reports is None:
        return f"the tests did not come to their end: {outcome.message or outcome.kind}"
    bad = [report for report in reports if report.outcome not in ("passed", "skipped")]
    if bad:
        last = bad[0].text.strip().splitlines()[-1:] or [bad[0].outcome]
        return f"{len(bad)} of {len(reports)} tests fail, such as {bad[0].name}: {last[0]}"
    return None if reports else "there are no tests in it"


async def vet_suite(bench: Workbench, sandbox: Sandbox) -> None:
    """Refuse a suite that the original itself does not pass, or that takes so long that it would hold up the search.

    Raises:
        TestsFail: it does not, or takes too long.
    """
    if not bench.task.tests:
        return
    against = await failing(bench, bench.original, sandbox, most_s=ORIGINAL_S)
    if against is not None:
        raise TestsFail(
            f"the tests do not pass on the original, so they can screen nothing: {against}; mend them, or give --tests"
            " files without such tests"
        )

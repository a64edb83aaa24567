"""Whether the original can say what is right. One that cannot is refused, by the name of what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mendel.contracts.errors import NoInputs, OracleUnfit
from mendel.contracts.evaluations import Case, Evaluation, Outcome
from mendel.domains.programs.watching import meddling
from mendel.domains.programs.workbench import Workbench
from mendel.guard.spec import Args
from mendel.ports.sandbox import Sandbox

MOST_FAILING: Final = 0.5
"""If it fails on more of its inputs than this, the inputs are not those it is made for."""
FEW_DEATHS: Final = 4
"""After so many inputs on which it does not end nobody waits for the others."""


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
    _refuse_random(bench, inputs, evaluation)
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
        raise OracleUnfit(f"{bench.task.path} cannot be loaded: {outcome.error_type}: {outcome.message}")
    if outcome.kind == "violation":
        raise OracleUnfit(
            f"{bench.task.function} answers with something that cannot leave the sandbox: {outcome.message};"
            " let it return plain data: numbers, texts, lists, dictionaries, dates"
        )
    share = len(failed) / len(outcomes)
    if share > MOST_FAILING:
        raise OracleUnfit(
            f"{bench.task.function} {_what(outcome)} on {share:.0%} of the inputs, such as {str(args)[:120]}: it"
            " cannot say what is right; give narrower type hints, or a task.py whose generate(rng, size) makes inputs"
            " that it is for"
        )


def _what(outcome: Outcome) -> str:
    if outcome.kind == "exception":
        where = f" (line {outcome.line})" if outcome.line else ""
        return f"raises {outcome.error_type}: {outcome.message}{where}"
    return {"timeout": "does not end", "memory": "runs out of memory", "not_run": "does not end"}.get(
        outcome.kind, f"ends as {outcome.kind}"
    )


def _refuse_random(bench: Workbench, inputs: Sequence[Args], evaluation: Evaluation) -> None:
    if evaluation.stateful and evaluation.differing:
        asked = str(inputs[evaluation.differing[0]])[:120]
        raise OracleUnfit(
            f"{bench.task.function} is random, or remembers: asked twice about {asked} it answered differently"
            f" ({len(evaluation.differing)} of {len(inputs)} inputs); an oracle answers the same whenever it is asked"
        )


async def _refuse_changing(bench: Workbench, inputs: Sequence[Args], sandbox: Sandbox) -> None:
    changed = await meddling(bench, bench.original, inputs, sandbox)
    if changed is not None:
        raise OracleUnfit(
            f"{bench.task.function} {changed}; only answers are compared, so let it work on a copy and return that"
        )

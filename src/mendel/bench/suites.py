"""The user's own pytest suite as a screen: it runs in a child of its own, and can refuse but never adopt."""

from __future__ import annotations

from typing import Final

from mendel.bench.workbench import Workbench
from mendel.contracts.errors import TestsFail
from mendel.contracts.evaluations import MIB, Case, Grants, Limits, Program
from mendel.ports.pytest_suite import GRANTS, reports_of, suite_program
from mendel.ports.sandbox import Sandbox

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

"""Full vetting of a source text: first the static policy, then a trial in the sandbox; both report findings.

The trial does what a host does before it uses the text: it imports it and creates a trait. Whether the trait works well
is a question for an evaluation.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from mendel.contracts.evaluations import Case, Grants, Limits, Outcome, Program
from mendel.contracts.lint import Finding, LintCode, Profile, run_finding
from mendel.ports.sandbox import Sandbox

LIMITS: Final = Limits(case_s=1.0, batch_s=2.0)
_DRIVER: Final = '''
import builtins
import importlib


class Trait:
    """What traits derive from."""


builtins.Trait = Trait


def trial():
    importlib.import_module("candidate")
    for trait in Trait.__subclasses__():
        trait()
'''


async def vet(
    sandbox: Sandbox,
    source: str,
    profile: Profile = "program",
    *,
    path: str = "candidate.py",
    known: Collection[str] = (),
    allow_imports: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Return what is wrong with a text: all findings of the static policy, or else the failure of its trial.

    Raises:
        SandboxError: the sandbox failed; nothing is known about the text.
    """
    findings = sandbox.lint(source, profile, path=path, known=known, allow_imports=allow_imports)
    if findings:
        return findings
    program = Program({"candidate.py": source, "mendel_trial.py": _DRIVER}, "mendel_trial:trial")
    granted = Grants(packages=tuple(allow_imports))
    outcome = (await sandbox.evaluate(program, [Case()], limits=LIMITS, grants=granted)).outcomes[0]
    return () if outcome.succeeded else (_told(outcome, path),)


def _told(outcome: Outcome, path: str) -> Finding:
    if outcome.kind == "timeout":
        return run_finding(LintCode.SANDBOX_TIMEOUT, "loading it took longer than a second", file=path)
    said = f"{outcome.error_type}: {outcome.message}" if outcome.message else str(outcome.error_type)
    return run_finding(LintCode.SANDBOX_EXCEPTION, said, file=path, line=outcome.line or 1)

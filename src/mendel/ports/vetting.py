"""Source text vetted whole: the static policy first, and only then a trial in the sandbox, in the same words.

What is tried is what a host does with the text before it is used: it is imported, and a trait is made. Whether it does
its work well is for an evaluation to say.
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
    """What is wrong with a text: all that the static policy finds, or else what its trial met.

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
        return run_finding(LintCode.SANDBOX_TIMEOUT, "it was not loaded within a second", file=path)
    said = f"{outcome.error_type}: {outcome.message}" if outcome.message else str(outcome.error_type)
    return run_finding(LintCode.SANDBOX_EXCEPTION, said, file=path, line=outcome.line or 1)

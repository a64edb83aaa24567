"""Whether the user's own rules let the original pass. Where they do not, a run would have nothing to begin with."""

from __future__ import annotations

from typing import Final

from mendel.contracts.errors import SpecFailed
from mendel.domains.programs.examining import Examination
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.workbench import Workbench
from mendel.ports.sandbox import Sandbox

_OF_RULES: Final = frozenset({"property", "relation"})
"""Stages at which a program falls for what the user's rules say; a score that raises is told as a property."""


async def vet_rules(task: ProgramTask, sandbox: Sandbox, *, seed: int) -> None:
    """Examine the original as a founder is examined, where the user has rules; its tests have been looked at before.

    Raises:
        SpecFailed: score, a property or a relation raises about an answer of the original, or does not hold of it.
    """
    bench = Workbench(task.model_copy(update={"tests": {}}), seed)
    rules = bench.rules
    if not (rules.properties or rules.relations or rules.score):
        return
    found = await Examination(bench, sandbox, task.originals()).run()
    if found.stage in _OF_RULES:
        raise SpecFailed(
            f"the original {task.function} itself falls by the task's own rules: {found.detail}; score, properties and"
            " relations have to bear the original's answers: mend the rule, or the function, or let"
            " generate(rng, size) make inputs that both are for"
        )

"""The gate judges prompts: an implementation may be a prompt with a route, answered by a model instead of by code.

A prompt is a file (:mod:`mendel.guard.prompt_files`) and a program like any other: what it answers is observed, checked
and compared in the same way. Nothing of it runs; a sandbox that knows models asks one for every case, and leaves all
other programs to the sandbox behind it. Nobody remembers an answer for another case, so that a prompt that answers
differently when it is asked again is as flaky as a program that does.
"""

from __future__ import annotations

from typing import Any

from mendel.contracts.errors import ConfigError
from mendel.guard.config import GuardConfig, configured
from mendel.guard.evaluation import Announce
from mendel.guard.gate import Given, Task, run_async
from mendel.guard.implementation import Implementation
from mendel.guard.prompt_plans import prompts_among, worst_case
from mendel.guard.prompt_records import settled
from mendel.guard.prompt_sandboxes import PromptedSandbox
from mendel.guard.registry import get_task
from mendel.guard.report import Report
from mendel.guard.spec import TaskSpec
from mendel.ports.sandbox import Sandbox


async def judge(
    task: Task,
    baseline: Given | None,
    candidate: Given,
    config: GuardConfig | None = None,
    *,
    sandbox: Sandbox,
    announce: Announce | None = None,
    **options: Any,  # noqa: ANN401 - fields of GuardConfig, checked there
) -> Report:
    """As :func:`mendel.guard.run_async`, where sides may be prompts if ``sandbox`` is a :class:`PromptedSandbox`.

    The report says whom they asked, what that took, and what they answered where it speaks against them. A candidate is
    not adopted because its baseline's provider failed, and nothing is decided by cases that could not be paid for.

    Raises:
        ConfigError: a side is a prompt and there is nobody to ask, or one of the reasons of ``run_async``.
    """
    sides = None if baseline is None else Implementation.of(baseline), Implementation.of(candidate)
    prompts = prompts_among(sides)
    if not prompts:
        return await run_async(task, *sides, config, sandbox=sandbox, announce=announce, **options)
    if not isinstance(sandbox, PromptedSandbox):
        raise ConfigError("a prompt is answered by a model, and there is none here; give a PromptedSandbox")
    spec = task if isinstance(task, TaskSpec) else get_task(task)
    chosen = configured(config, **options).settled()
    worst_case(prompts, sandbox.plan, spec, chosen)  # refuses what cannot be before anybody is asked
    told = sandbox.counting(announce)
    report = await run_async(task, *sides, configured(chosen, report_dir=None), sandbox=sandbox, announce=told)
    report = settled(report, sandbox.ledger, spec)
    if chosen.report_dir is not None:
        report.write(chosen.report_dir)
    return report

"""Judging prompts: an implementation may be a prompt that a model answers, instead of code.

A prompt is a file (:mod:`mendel.guard.prompt_files`). Its answers are observed, checked and compared like those of any
other program. A prompt contains no code to run: a :class:`PromptedSandbox` calls a model for every case, and passes all
other programs on to the sandbox that it wraps. Answers are not cached between cases, so a prompt whose answer changes
when the same case is repeated counts as flaky, like a program.
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
    """Judge as :func:`mendel.guard.run_async` does; sides may be prompts if ``sandbox`` is a :class:`PromptedSandbox`.

    For each prompt, the report holds the models called, the usage, and the answers that violations rest on. If calls of
    the baseline's model failed, nothing is adopted. If the budget did not cover all cases, the verdict is undecided.

    Raises:
        ConfigError: a side is a prompt and ``sandbox`` has no model, or for the reasons of ``run_async``.
    """
    sides = None if baseline is None else Implementation.of(baseline), Implementation.of(candidate)
    prompts = prompts_among(sides)
    if not prompts:
        return await run_async(task, *sides, config, sandbox=sandbox, announce=announce, **options)
    if not isinstance(sandbox, PromptedSandbox):
        raise ConfigError("a prompt needs a model, and the given sandbox has none; give a PromptedSandbox")
    spec = task if isinstance(task, TaskSpec) else get_task(task)
    chosen = configured(config, **options).settled()
    worst_case(prompts, sandbox.plan, spec, chosen)  # for its errors only: raise them before any paid call
    told = sandbox.counting(announce)
    # The report is written below, once it contains the model calls.
    report = await run_async(task, *sides, configured(chosen, report_dir=None), sandbox=sandbox, announce=told)
    report = settled(report, sandbox.ledger, spec)
    if chosen.report_dir is not None:
        report.write(chosen.report_dir)
    return report

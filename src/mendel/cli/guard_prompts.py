"""Support for prompts as candidates of the gate: call models, and announce their worst-case cost beforehand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Annotated, Final

import typer

from mendel.cli.models_views import OFFLINE
from mendel.console.model_choices import counted, usd
from mendel.console.session import Session
from mendel.contracts.caps import RunCaps
from mendel.contracts.energy import MAX_USAGE
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import ModelPlan
from mendel.guard.config import GuardConfig
from mendel.guard.gate import Comparison
from mendel.guard.implementation import Implementation
from mendel.guard.prompt_files import Prompt
from mendel.guard.prompt_plans import prompts_among, role_plan, worst_case
from mendel.guard.prompt_records import settled
from mendel.guard.prompt_sandboxes import PromptedSandbox, RecordedSandbox
from mendel.guard.registry import get_task
from mendel.guard.report import Report
from mendel.ports.model_gateway import Budget, usage_of
from mendel.ports.sandbox import Sandbox
from mendel.settings import Settings
from mendel.wiring import model_plan, open_models

_MICRO: Final = 1_000_000

CostOption = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        min=0.0,
        max=MAX_USAGE / _MICRO,
        help="Maximum cost of model calls by prompts, in US dollars.",
        show_default=f"{RunCaps().max_cost_microusd / _MICRO:.2f}",
    ),
]


@asynccontextmanager
async def answering(
    session: Session,
    sandbox: Sandbox,
    sides: Iterable[Implementation | None],
    task: str,
    config: GuardConfig,
    max_cost: float | None,
) -> AsyncIterator[Sandbox]:
    """Yield the sandbox, or, if one side is a prompt, a sandbox that also calls models.

    Raises:
        ConfigError: no model plays the role of a prompt, or the metric `time` is compared.
        NoPrice: the price of a model is unknown.
    """
    prompts = prompts_among(sides)
    if not prompts:
        yield sandbox
        return
    settings = session.loaded.settings
    plan = _plan(settings)
    most = RunCaps().max_cost_microusd if max_cost is None else round(max_cost * _MICRO)
    session.announce(_worst(prompts, plan, task, config, most))
    async with open_models(settings, plan=plan) as models:
        prompted = PromptedSandbox(sandbox, models, plan, budget=Budget(MAX_USAGE, most))  # bounded by cost only
        yield prompted
        session.announce(_spent(prompted))


def _plan(settings: Settings) -> ModelPlan:
    if settings.llm.profile == "offline":
        raise ConfigError(f"a prompt needs a model: {OFFLINE}")
    return model_plan(settings)


def _worst(prompts: list[Prompt], plan: ModelPlan, task: str, config: GuardConfig, most: int) -> str:
    worst = worst_case(prompts, plan, get_task(task), config.settled())
    names = ", ".join(sorted({str(role_plan(plan, prompt).sources[0].route) for prompt in prompts}))
    tokens = worst.usage.tokens_in + worst.usage.tokens_out
    return (
        f"asks {names}: {counted(worst.questions, 'question')}, at worst {counted(worst.calls, 'call')},"
        f" {counted(tokens, 'token')} and {usd(worst.usage.cost_microusd)}, and more to minimise counter-examples;"
        f" it stops at {usd(most)}"
    )


def _spent(sandbox: PromptedSandbox) -> str:
    records = [record for calls in sandbox.ledger.calls.values() for record in calls.records]
    used = usage_of(records)
    tokens = used.tokens_in + used.tokens_out
    return f"used {counted(len(records), 'call')}, {counted(tokens, 'token')} and {usd(used.cost_microusd)}"


def told(comparison: Comparison, sandbox: Sandbox, task: str) -> Comparison:
    """Add the model calls of prompts to the reports."""
    if not isinstance(sandbox, PromptedSandbox):
        return comparison
    spec = get_task(task)
    return Comparison([settled(report, sandbox.ledger, spec) for report in comparison.reports])


def replaying(session: Session, sandbox: Sandbox, report: Report) -> Sandbox:
    """Return the sandbox, or, if one side of the report is a prompt, one that replays the recorded answers."""
    if not prompts_among((report.candidate, report.baseline)):
        return sandbox
    session.announce("prompts answer from the report's records; no model is called")
    return RecordedSandbox(sandbox, report)

"""Planning the calls of a prompt: which route answers it, and its usage in the worst case."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mendel.contracts.energy import MAX_USAGE, Usage
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import ModelPlan, RolePlan
from mendel.guard.config import GuardConfig
from mendel.guard.implementation import Implementation
from mendel.guard.prompt_files import Prompt, is_prompt, prompt_of
from mendel.guard.spec import TIME, TaskSpec


def role_plan(plan: ModelPlan, prompt: Prompt) -> RolePlan:
    """Return the role of a prompt, reduced to one route and without a fallback.

    Raises:
        ConfigError: no model is configured for the role, or the settings do not allow the prompt's route for it.
    """
    route, role = prompt.chosen, plan.roles.get(prompt.role)
    source = role.source(route) if role is not None else None
    if source is None and route is not None:
        allowed = plan.overridable.get(prompt.role, ())
        source = next((each for each in allowed if each.route == route), None)
    if source is None:
        raise ConfigError(_nobody(prompt, role))
    base = role if role is not None else RolePlan(sources=(source,))  # a route may be allowed for an unassigned role
    return base.model_copy(update={"sources": (source,), "fallback": None})


def _nobody(prompt: Prompt, role: RolePlan | None) -> str:
    if role is None:
        return (
            f"the prompt uses the role {prompt.role}, and no model is configured for it; set llm.routes.{prompt.role}"
            " or [llm.providers.NAME] in mendel.toml (docs/models.md has examples)"
        )
    known = ", ".join(str(source.route) for source in role.sources)
    return (
        f"the prompt names {prompt.route}, but the routes of {prompt.role} are {known}; name one of them, or allow it:"
        f' llm.overrides.{prompt.role} = ["{prompt.route}"]'
    )


def prompts_among(sides: Iterable[Implementation | None]) -> list[Prompt]:
    """Return the prompts among the implementations."""
    return [prompt_of(side.program) for side in sides if side is not None and is_prompt(side.program)]


@dataclass(frozen=True, slots=True)
class WorstCase:
    """The worst-case usage of prompts over all cases and transformed cases."""

    questions: int
    calls: int
    usage: Usage


def worst_case(prompts: Iterable[Prompt], plan: ModelPlan, spec: TaskSpec, config: GuardConfig) -> WorstCase:
    """Compute the worst-case usage: every answer is repaired and every call is retried.

    Calls that confirm and shrink a counter-example are not included: their number is not known in advance.

    Raises:
        ConfigError: no model is configured for a prompt's role, or ``time`` is among the metrics.
    """
    each = config.n * (1 + len(spec.relations))
    roles = [_tightened(role_plan(plan, prompt), prompt) for prompt in prompts]
    if roles and TIME in (config.metrics or ()):
        raise ConfigError("`time` compares processor time, but a prompt runs at its provider; remove that metric")
    worst = [role.worst() for role in roles]
    usage = Usage(
        tokens_in=min(MAX_USAGE, each * sum(one.tokens_in for one in worst)),
        tokens_out=min(MAX_USAGE, each * sum(one.tokens_out for one in worst)),
        cost_microusd=min(MAX_USAGE, each * sum(one.cost_microusd for one in worst)),
    )
    return WorstCase(each * len(roles), each * sum(role.attempts for role in roles), usage)


def _tightened(role: RolePlan, prompt: Prompt) -> RolePlan:
    fewer = min(role.limits.tokens_out, prompt.limits.tokens_out)
    return role.model_copy(update={"limits": role.limits.model_copy(update={"tokens_out": fewer})})

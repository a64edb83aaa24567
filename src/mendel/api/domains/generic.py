"""Any other domain that is installed: what is asked for is its configuration, as a run file says it."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from mendel.api.launch_schemas import FormView, RunRequest
from mendel.api.registration import Plan, Workshop
from mendel.contracts.errors import RunRefused
from mendel.contracts.run_config import OFFLINE, RunConfig
from mendel.kernel.beginning import domain_payload
from mendel.kernel.loading import load_domain


@dataclass(frozen=True)
class GenericPlan(Plan):
    """A run whose configuration says everything: there is nothing to look at."""

    config: RunConfig

    def draft(self) -> RunConfig:
        """The run."""
        return self.config


def plan(request: RunRequest, seed: int, workshop: Workshop) -> GenericPlan:  # noqa: ARG001 - as every planner
    """What is asked for.

    Raises:
        UnknownPlugin: nobody has the domain.
        RunRefused: it has no form, and inputs were given.
        ConfigError: its configuration cannot be.
    """
    if request.inputs:
        raise RunRefused(f"the domain {request.domain} has no form of its own; give its configuration as `config`")
    own = request.config or ({} if load_domain(request.domain).config_kind is not None else None)
    return GenericPlan(
        RunConfig(
            domain=request.domain,
            problem=request.problem or f"breed {request.domain}",
            rng_seed=seed,
            model_profile=request.model_profile or OFFLINE,
            domain_config=domain_payload(request.domain, own) if own is not None else None,
        )
    )


def form_of(name: str) -> FormView:
    """What the configuration of a domain looks like.

    Raises:
        MendelError: the domain cannot be loaded.
    """
    domain = load_domain(name)
    model = domain.payloads.get(domain.config_kind) if domain.config_kind is not None else None
    schema: dict[str, JsonValue] = model.model_json_schema() if model is not None else {"type": "object"}
    return FormView(schema=schema, part="config")

"""The generic form for domains without one: the domain's configuration, as in a run file."""

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
    """A run with a complete configuration, which needs no measurement."""

    config: RunConfig

    def draft(self) -> RunConfig:
        """Return the configuration."""
        return self.config


def plan(request: RunRequest, seed: int, workshop: Workshop) -> GenericPlan:  # noqa: ARG001 - as every planner
    """Plan a run from the configuration in the request.

    Raises:
        UnknownPlugin: no installed package provides the domain.
        RunRefused: the request has inputs, but the domain has no form.
        ConfigError: the configuration is invalid.
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
    """Return the schema of a domain's configuration as a form.

    Raises:
        MendelError: the domain cannot be loaded.
    """
    domain = load_domain(name)
    model = domain.payloads.get(domain.config_kind) if domain.config_kind is not None else None
    schema: dict[str, JsonValue] = model.model_json_schema() if model is not None else {"type": "object"}
    return FormView(schema=schema, part="config")

"""Language models by role, their prices and keys, and the observers of calls."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import structlog

from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.prices import dollars, price_of
from mendel.adapters.models.providers import address_of, key_variable_of
from mendel.adapters.otel.opening import open_traces
from mendel.contracts.errors import ConfigError, PluginError
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import Price
from mendel.ports.metrics import MeteredCalls, Metrics
from mendel.ports.model_wire import GROUP as MODEL_WIRES
from mendel.ports.model_wire import ModelWire, OpenWire, WireContext, WireFailed
from mendel.ports.observing import CallObserver, Several
from mendel.ports.registry import resolve
from mendel.settings import Settings
from mendel.settings.model_plans import configured_plan, plan_of
from mendel.settings.model_providers import Prices, Provider, provider_of
from mendel.wiring.secrets import scrubber


@asynccontextmanager
async def open_models(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver | None = None
) -> AsyncIterator[LiveGateway]:
    """Open the models of the settings, or of ``plan``, by role; a provider is opened on its first call.

    ``observer`` replaces the configured observers, so that models and an embedder can share one.

    Raises:
        ConfigError: a provider is unknown, or a model has no name.
        NoPrice: the price of a model is unknown.
    """
    own = plan if plan is not None else model_plan(settings)
    async with (
        open_observer(settings, own) if observer is None else nullcontext(observer) as watching,
        LiveGateway(own, partial(wire_to, settings), scrubber=scrubber(settings), observer=watching) as models,
    ):
        yield models


@asynccontextmanager
async def open_observer(settings: Settings, plan: ModelPlan) -> AsyncIterator[CallObserver]:
    """Open the configured observers for the calls of a plan; metrics are written once, at the end."""
    metrics = _metrics(plan) if settings.telemetry.metrics_file is not None else None
    watching = Several(*_watching(settings, metrics))
    try:
        yield watching
    finally:
        await watching.aclose()
        if metrics is not None and settings.telemetry.metrics_file is not None:
            _write_metrics(metrics, settings.telemetry.metrics_file)


def _watching(settings: Settings, metrics: Metrics | None) -> Iterator[CallObserver]:
    """Yield the observers of model calls; their failures never affect the calls."""
    if metrics is not None:
        yield MeteredCalls(metrics)
    if settings.telemetry.traces:
        yield open_traces(os.environ, scrubber(settings), content=settings.telemetry.trace_content)


def _metrics(plan: ModelPlan) -> Metrics:
    # Imported on demand: this takes as long as all other imports for `--help` together.
    from mendel.adapters.prometheus.metrics import PrometheusMetrics

    sources = [
        source for role in plan.roles.values() for source in (*role.sources, role.fallback) if source is not None
    ]
    allowed = [source for role in plan.overridable.values() for source in role]  # a run may choose these
    names = {source.route.provider for source in (*sources, *allowed)}  # labels are fixed in advance
    return PrometheusMetrics({"provider": names, "backend": names})


def _write_metrics(metrics: Metrics, path: Path) -> None:
    try:
        path.write_text(metrics.text())
    except OSError as error:  # a missing metrics file must not fail a finished command
        structlog.get_logger(__name__).warning("metrics_not_written", path=str(path), error=type(error).__name__)


def model_plan(settings: Settings) -> ModelPlan:
    """Return the models and prices by role; raises like :func:`open_models`."""
    return plan_of(settings, model_prices(settings))


def live_plan(settings: Settings) -> ModelPlan:
    """Return the plan as :func:`model_plan` does, but regardless of the profile in the settings."""
    return configured_plan(settings, model_prices(settings))


def model_prices(settings: Settings) -> Prices:
    """Return the price function: by ``llm.prices``, else zero for free models, else by the public list."""
    own = {route: dollars(each.input, each.output) for route, each in settings.llm.prices.items()}

    def price(provider: Provider, model: str, prompt_tokens: int) -> Price:
        return price_of(
            provider.name, model, own, kind=provider.kind, base_url=provider.base_url, prompt_tokens=prompt_tokens
        )

    return price


class ProviderFacts(NamedTuple):
    """Address of a provider, and whether its key is set; never the key itself."""

    name: str
    kind: str
    address: str | None
    key_variable: str | None
    key_present: bool


def provider_facts(settings: Settings, name: str) -> ProviderFacts:
    """Return the facts about a provider.

    Raises:
        ConfigError: the provider is unknown.
    """
    provider = provider_of(settings.llm, name)
    variable = key_variable_of(provider.kind, provider.key_variable, provider.base_url)
    address = address_of(provider.kind, provider.base_url, os.environ)
    return ProviderFacts(name, provider.kind, address, variable, bool(variable and os.environ.get(variable)))


def wire_to(settings: Settings, name: str) -> ModelWire:
    """Open the wire to a provider.

    Raises:
        WireFailed: the provider is not configured; a missing key is named by its variable.
    """
    try:
        facts = provider_facts(settings, name)
        opened = cast("OpenWire", resolve(MODEL_WIRES, facts.kind))
    except (ConfigError, PluginError) as error:
        raise WireFailed("not_configured", str(error), unsent=True) from error  # unsent: nothing to charge
    if facts.key_variable is not None and not facts.key_present:
        told = f"{name} needs a key: set the environment variable {facts.key_variable}"
        raise WireFailed("not_configured", told, unsent=True)
    # Read here and not kept in the settings, so that no view or error can show it.
    key = os.environ[facts.key_variable] if facts.key_variable is not None else None
    return opened(
        WireContext(
            provider=name, kind=facts.kind, base_url=facts.address, api_key=key, key_variable=facts.key_variable
        )
    )

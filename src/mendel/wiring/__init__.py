"""Connects ports to adapters; no other room imports adapters."""

from __future__ import annotations

from mendel.wiring.domains import open_domain_tables, served_domains
from mendel.wiring.lookups import open_embedder, open_research, open_retriever, route_embedder
from mendel.wiring.models import (
    ProviderFacts,
    live_plan,
    model_plan,
    model_prices,
    open_models,
    open_observer,
    provider_facts,
)
from mendel.wiring.observatory import memory_shelf, open_files, open_metrics
from mendel.wiring.process import calm_collector, ceilings, configure_telemetry, diagnose, system_clock
from mendel.wiring.secrets import scrubber, secret_of
from mendel.wiring.stores import (
    ROLES,
    Announce,
    embedded_server,
    external_database,
    migrate,
    open_log,
    open_read_models,
    server_status,
)
from mendel.wiring.work import SANDBOX_REMEDIES, open_asking_fabric, open_fabric, open_run_fabric, open_sandbox

__all__ = [
    "ROLES",
    "SANDBOX_REMEDIES",
    "Announce",
    "ProviderFacts",
    "calm_collector",
    "ceilings",
    "configure_telemetry",
    "diagnose",
    "embedded_server",
    "external_database",
    "live_plan",
    "memory_shelf",
    "migrate",
    "model_plan",
    "model_prices",
    "open_asking_fabric",
    "open_domain_tables",
    "open_embedder",
    "open_fabric",
    "open_files",
    "open_log",
    "open_metrics",
    "open_models",
    "open_observer",
    "open_read_models",
    "open_research",
    "open_retriever",
    "open_run_fabric",
    "open_sandbox",
    "provider_facts",
    "route_embedder",
    "scrubber",
    "secret_of",
    "served_domains",
    "server_status",
    "system_clock",
]

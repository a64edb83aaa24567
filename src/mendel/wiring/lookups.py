"""Embedders, retrievers and research tools.

Their adapters are imported on demand: they need numpy and an HTTP client, which most commands do not use.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import ModelPlan
from mendel.ports.observing import NOBODY, CallObserver
from mendel.ports.registry import resolve
from mendel.ports.research import ResearchTools
from mendel.ports.retriever import OpenRetriever, Retriever, RetrieverContext
from mendel.settings import Settings
from mendel.settings.lookups import CURATED, OFF, PROVIDER, ResearchSettings
from mendel.settings.parts import lookups_lacking
from mendel.wiring.models import model_plan, wire_to
from mendel.wiring.secrets import scrubber

if TYPE_CHECKING:
    from mendel.adapters.research.factory import ResearchConfig
    from mendel.ports.embedder import Embedder, OpenEmbedder
    from mendel.ports.embedder_degradation import DegradingEmbedder


@asynccontextmanager
async def open_embedder(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver = NOBODY
) -> AsyncIterator[DegradingEmbedder]:
    """Open the configured embedder with its fallback; models, keys and connections are opened on the first text.

    ``plan`` replaces that of the settings. If no provider may be called, because of the profile or because the plan
    lacks the role, only the fallback is used.

    Raises:
        ConfigError: an unknown embedder, a missing route or dimension, or missing model weights.
        NoPrice: the price of a model is unknown.
    """
    _refuse_lacking(settings, "embeddings.")
    provider = (
        route_embedder(settings, plan=plan, observer=observer) if settings.embeddings.backend == PROVIDER else None
    )
    async with _embedder(settings, provider) as embedder:
        yield embedder


def offline_embedder(settings: Settings) -> DegradingEmbedder:
    """Return an embedder as :func:`open_embedder` does, but without providers: it runs on this machine."""
    return _embedder(settings, None)


def _embedder(settings: Settings, provider: Embedder | None) -> DegradingEmbedder:
    from mendel.ports.embedder_degradation import DegradingEmbedder

    own = settings.embeddings
    fallback = _local_embedder(settings, own.fallback)
    local = fallback if own.backend == PROVIDER else _local_embedder(settings, own.backend)
    return DegradingEmbedder(provider or local, fallback, patience_s=own.patience_s)  # one of both for a whole batch


def route_embedder(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver = NOBODY
) -> Embedder | None:
    """Return the embedder of the role ``embedding`` without a fallback; None if the plan lacks the role.

    Raises:
        ConfigError: the dimension of its vectors is unknown.
        NoPrice: the price of a model is unknown.
    """
    from mendel.adapters.embeddings.later import WireLater
    from mendel.adapters.embeddings.opening import embedder_of_role

    role = (plan if plan is not None else model_plan(settings)).roles.get("embedding")
    if role is None:
        return None
    route = settings.llm.routes.get("embedding")  # a run's plan may have the role where the settings have no route
    return embedder_of_role(
        role,
        WireLater(partial(wire_to, settings, role.sources[0].route.provider)),
        dimension=route.dimension if route is not None else None,
        scrubber=scrubber(settings),
        observer=observer,
    )


def _local_embedder(settings: Settings, name: str) -> Embedder:
    """Return an embedder without provider; a plug-in is loaded on the first text."""
    if name == "sentences":
        from mendel.adapters.embeddings.sentences import sentences_later

        return sentences_later(settings.embeddings.model)
    from mendel.adapters.embeddings.later import OpenedLater

    return OpenedLater(name, partial(_plugged_embedder, name))


def _plugged_embedder(name: str) -> Embedder:
    return cast("OpenEmbedder", resolve("mendel.embedders", name))()


@asynccontextmanager
async def open_retriever(settings: Settings) -> AsyncIterator[Retriever | None]:
    """Open the configured retriever, if any; its key is read with each query.

    Raises:
        ConfigError: an unknown retriever, a missing endpoint, or an unreadable corpus.
    """
    if settings.retrieval.backend == OFF:
        yield None
        return
    _refuse_lacking(settings, "retrieval.")
    async with _retriever(settings, settings.retrieval.backend) as retriever:
        yield retriever


def curated_retriever(settings: Settings) -> Retriever:
    """Return a retriever of curated texts, which needs no network: the operator's, or the built-in ones.

    Raises:
        ConfigError: the operator's texts cannot be read.
    """
    return _retriever(settings, CURATED)


def _retriever(settings: Settings, backend: str) -> Retriever:
    from mendel.adapters.research.at_most import AtMost

    own = settings.retrieval
    opener = cast("OpenRetriever", resolve("mendel.retrievers", backend))
    context = RetrieverContext(backend, own.endpoint, own.api_key_env, own.corpus, own.timeout_s, os.environ)
    return AtMost(opener(context), own.limit)  # the setting limits every query


@asynccontextmanager
async def open_research(settings: Settings) -> AsyncIterator[ResearchTools | None]:
    """Open the enabled research tools for models, if any; a key is read when its tool is called.

    Raises:
        ConfigError: the endpoint of a tool is missing.
    """
    own = settings.research
    if not own.tools:
        yield None
        return
    from mendel.adapters.research.factory import open_tools

    _refuse_lacking(settings, "research.")
    async with open_tools(_research_config(own), os.environ) as tools:
        yield tools


def _research_config(own: ResearchSettings) -> ResearchConfig:
    from mendel.adapters.research.addresses import Reach
    from mendel.adapters.research.factory import ResearchConfig, SearchEndpoint
    from mendel.adapters.research.fetching import FetchLimits

    page = own.fetch_url
    return ResearchConfig(
        searches={
            name: SearchEndpoint(each.endpoint, each.api_key_env, each.timeout_s)
            for name, each in own.searches().items()
            if each.endpoint is not None  # for the type checker: a missing one was refused before
        },
        fetch="fetch_url" in own.tools,
        reach=Reach(frozenset(page.ports), frozenset(map(ip_address, page.trusted))),
        fetch_limits=FetchLimits(page.timeout_s, page.connect_s, page.body_bytes, page.redirects),
    )


def _refuse_lacking(settings: Settings, prefix: str) -> None:
    for lack in lookups_lacking(settings):
        if lack.key.startswith(prefix):
            raise ConfigError(str(lack))

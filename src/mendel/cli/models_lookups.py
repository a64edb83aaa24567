"""Output of `mendel models` for embeddings, retrieval and research tools, as table cells and as JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator

from pydantic import JsonValue

from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import ModelPlan
from mendel.settings import Settings
from mendel.settings.lookups import OFF, PROVIDER
from mendel.settings.parts import lookups_lacking
from mendel.wiring import route_embedder

Json = dict[str, JsonValue]


def lookups_json(settings: Settings, plan: ModelPlan) -> Json:
    """Embeddings, retrieval and research, with the names of keys only; ``lacking`` gives the missing parts."""
    return {
        "embeddings": _embeddings(settings, plan),
        "retrieval": _retrieval(settings),
        "research": [_tool(settings, name) for name in settings.research.tools],
        "lacking": [str(each) for each in lookups_lacking(settings)],
    }


def lookup_cells(settings: Settings) -> dict[str, str]:
    """The default implementation of each role that works without a route."""
    return {"embedding": f"{settings.embeddings.backend} (here)", "retrieval": settings.retrieval.backend}


def lookup_remarks(settings: Settings) -> Iterator[str]:
    """Notes on the table."""
    if settings.research.tools:
        told = ", ".join(settings.research.tools)
        yield f"research tools, for domains that use population_generator (none of the built-in ones yet): {told}"
    yield from map(str, lookups_lacking(settings))


def _embeddings(settings: Settings, plan: ModelPlan) -> Json:
    own = settings.embeddings
    told: Json = {"backend": own.backend, "fallback": own.fallback, "novelty": own.novelty}
    if own.backend != PROVIDER:
        return {**told, "model": own.model}
    role = plan.roles.get("embedding")
    route = str(role.sources[0].route) if role is not None else None
    return {**told, "route": route, "dimension": _dimension(settings, plan)}


def _dimension(settings: Settings, plan: ModelPlan) -> int | None:
    """The dimension of the vectors, or None if it is unknown."""
    try:
        embedder = route_embedder(settings, plan=plan)
    except ConfigError:
        return None
    return embedder.dimension if embedder is not None else None


def _retrieval(settings: Settings) -> Json:
    own = settings.retrieval
    if own.backend == OFF:
        return {"backend": OFF}
    corpus = str(own.corpus) if own.corpus is not None else None
    asked = _asked(own.endpoint, own.api_key_env)
    return {"backend": own.backend, **asked, "corpus": corpus, "limit": own.limit}


def _tool(settings: Settings, name: str) -> Json:
    search = {str(each): found for each, found in settings.research.searches().items()}.get(name)
    return {"name": name, **(_asked(search.endpoint, search.api_key_env) if search is not None else {})}


def _asked(endpoint: str | None, variable: str | None) -> Json:
    return {
        "endpoint": endpoint,
        "key_variable": variable,
        "key_present": bool(variable and os.environ.get(variable)),
    }

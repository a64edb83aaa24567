"""Opens the research tools that an operator configured."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from mendel.adapters.research.addresses import Reach
from mendel.adapters.research.fetching import Fetcher, FetchLimits
from mendel.adapters.research.live import LiveTools
from mendel.adapters.research.web import WebRetriever
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_calls import ToolName
from mendel.ports.retriever import Retriever


@dataclass(frozen=True, slots=True)
class SearchEndpoint:
    """The endpoint of a search tool, and the variable with its key, if it needs one."""

    endpoint: str
    key_variable: str | None = None
    timeout_s: float = 10.0


@dataclass(frozen=True)
class ResearchConfig:
    """The enabled tools: a search tool needs an entry in ``searches``, and ``fetch_url`` needs ``fetch``."""

    searches: Mapping[ToolName, SearchEndpoint] = field(default_factory=dict)
    fetch: bool = False
    reach: Reach = field(default_factory=Reach)
    fetch_limits: FetchLimits = field(default_factory=FetchLimits)


def open_tools(config: ResearchConfig, environ: Mapping[str, str] = os.environ) -> LiveTools:
    """Open the configured tools. This makes no connection and reads no key.

    A search tool has no fallback: if the live search fails, the model that called it gets an error.

    Raises:
        ConfigError: an endpoint is not an address, or is set for a tool that is not a search.
    """
    if "fetch_url" in config.searches:
        raise ConfigError("fetch_url has no endpoint: it reads the page itself")
    searches: dict[ToolName, Retriever] = {
        name: WebRetriever(
            each.endpoint, name=name, key_variable=each.key_variable, environ=environ, timeout_s=each.timeout_s
        )
        for name, each in config.searches.items()
    }
    fetcher = Fetcher(reach=config.reach, limits=config.fetch_limits) if config.fetch else None
    return LiveTools(searches, fetcher)

"""The sections about external lookups: ``[embeddings]``, ``[retrieval]`` and ``[research]``."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Annotated, Final, get_args

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from mendel.contracts.model_calls import ToolName
from mendel.contracts.retrieval import MAX_PASSAGES
from mendel.settings.models import KeyVariable, ModelName, WebAddress, near_to
from mendel.settings.values import PluginName, Seconds, Section, SomePath, Whole

OFF: Final = "off"
PROVIDER: Final = "provider"
CURATED: Final = "curated"
TOOLS: Final[tuple[ToolName, ...]] = get_args(ToolName)


def _threshold(value: object) -> object:
    """Convert ``off`` to 0; refuse a value that is not a similarity."""
    if value == OFF:
        return 0.0
    try:
        # -1 is refused below; a bool is an int, but no similarity.
        number = -1.0 if isinstance(value, bool) or not isinstance(value, str | int | float) else float(value)
    except (ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise PydanticCustomError("similarity", 'Input should be a number above 0 and at most 1, or "off"')
    return number


def _stand_in(value: object) -> object:
    """Refuse a provider as fallback: it would need the same network that has just failed."""
    if value == PROVIDER:
        raise PydanticCustomError(
            "fallback", 'Input should be an embedder without network, such as "ngrams" or "sentences"'
        )
    return value


def _tool(value: object) -> object:
    """Refuse an unknown tool: the set is closed."""
    if value not in TOOLS:
        near = near_to(value, TOOLS) if isinstance(value, str) else ""
        raise PydanticCustomError(
            "tool", "Input should be one of {known}{near}", {"known": ", ".join(TOOLS), "near": near}
        )
    return value


def _ip(value: object) -> object:
    """Refuse a value that is not an IP address."""
    try:
        return str(ip_address(value)) if isinstance(value, str) else _no_ip()
    except ValueError:
        return _no_ip()


def _no_ip() -> object:
    raise PydanticCustomError("ip", "Input should be numeric IP addresses, such as 10.0.0.7, not names")


Similarity = Annotated[float, BeforeValidator(_threshold)]
"""A threshold from 0 (off) to 1."""

StandIn = Annotated[PluginName, BeforeValidator(_stand_in)]
Tool = Annotated[ToolName, BeforeValidator(_tool)]
IpAddress = Annotated[str, BeforeValidator(_ip)]
Port = Annotated[Whole, Field(ge=1, le=65_535)]
Patience = Annotated[Seconds, Field(gt=0, le=60)]
"""A timeout of at most one minute, which is the limit of the ports."""


class EmbeddingsSettings(Section):
    """Embeddings, which measure the similarity of texts."""

    backend: PluginName = Field(
        default="ngrams",
        description='Embedder of texts: "ngrams", "sentences" (a local model), "provider" (the route'
        " llm.routes.embedding), or a plug-in of the group mendel.embedders.",
    )
    model: ModelName | None = Field(
        default=None, description="Sentence model: a known name or a folder; by default all-MiniLM-L6-v2."
    )
    fallback: StandIn = Field(
        default="ngrams", description="Embedder of a batch if embeddings.backend fails; not a provider."
    )
    patience_s: Seconds = Field(
        default=180.0, gt=0, le=3_600, description="Timeout of a batch in seconds; then embeddings.fallback takes over."
    )
    novelty: Similarity = Field(
        default=0.9995,
        description="Similarity at or above which a model's answer counts as a duplicate of an earlier one;"
        ' 0 or "off" disables the check.',
    )


class RetrievalSettings(Section):
    """Source of background knowledge."""

    backend: PluginName = Field(
        default=OFF,
        description='Source of passages: "off", "curated" (selected texts), "web" (a live search, else these),'
        " or a plug-in of the group mendel.retrievers.",
    )
    endpoint: WebAddress | None = Field(default=None, description="URL of a search server with the API of SearxNG.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="Environment variable with the API key; the key itself must not be in a file."
    )
    corpus: SomePath | None = Field(
        default=None, description="Selected texts: a folder, or a file of JSON lines; by default the built-in corpus."
    )
    limit: Whole = Field(default=5, ge=1, le=MAX_PASSAGES, description="Maximum number of passages per query.")
    timeout_s: Patience = Field(default=10.0, description="Timeout of a search in seconds.")


class SearchSettings(Section):
    """The server of a search tool."""

    endpoint: WebAddress | None = Field(default=None, description="URL of a search server with the API of SearxNG.")
    api_key_env: KeyVariable | None = Field(
        default=None, description="Environment variable with the API key; the key itself must not be in a file."
    )
    timeout_s: Patience = Field(default=10.0, description="Timeout of a search in seconds.")


class FetchSettings(Section):
    """Limits for fetching a page, and addresses that may be reached."""

    timeout_s: Patience = Field(default=20.0, description="Timeout of a page in seconds, including redirects.")
    connect_s: Patience = Field(default=5.0, description="Timeout of a connection attempt in seconds.")
    body_bytes: Whole = Field(
        default=2 * 1024 * 1024, ge=1, le=64 * 1024 * 1024, description="Maximum size of a page in bytes, decompressed."
    )
    redirects: Whole = Field(default=5, ge=0, le=20, description="Maximum number of redirects.")
    ports: tuple[Port, ...] = Field(default=(80, 443), min_length=1, description="Allowed ports.")
    trusted: tuple[IpAddress, ...] = Field(
        default=(), description="Private addresses that are allowed nevertheless, such as that of a wiki."
    )


class ResearchSettings(Section):
    """Research tools for models."""

    tools: tuple[Tool, ...] = Field(
        default=(), description="Enabled tools, from web_search, fetch_url, x_search, youtube_search."
    )
    web_search: SearchSettings = Field(default_factory=SearchSettings, description="Web search.")
    x_search: SearchSettings = Field(default_factory=SearchSettings, description="Search on X.")
    youtube_search: SearchSettings = Field(default_factory=SearchSettings, description="Search on YouTube.")
    fetch_url: FetchSettings = Field(default_factory=FetchSettings, description="Fetching of single pages.")

    def searches(self) -> Mapping[ToolName, SearchSettings]:
        """Return the enabled search tools."""
        known: dict[ToolName, SearchSettings] = {
            "web_search": self.web_search,
            "x_search": self.x_search,
            "youtube_search": self.youtube_search,
        }
        return {name: each for name, each in known.items() if name in self.tools}

    def key_variables(self) -> tuple[str, ...]:
        """Return the environment variables that are set here to contain a key."""
        named = (each.api_key_env for each in (self.web_search, self.x_search, self.youtube_search))
        return tuple(name for name in named if name is not None)

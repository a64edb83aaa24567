"""The sections about what is looked up: ``[embeddings]``, ``[retrieval]`` and ``[research]``."""

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
    """``off`` is 0; refuse what is no similarity."""
    if value == OFF:
        return 0.0
    try:
        number = -1.0 if isinstance(value, bool) or not isinstance(value, str | int | float) else float(value)
    except (ValueError, OverflowError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise PydanticCustomError("similarity", 'Input should be a number above 0 and at most 1, or "off"')
    return number


def _stand_in(value: object) -> object:
    """Refuse a provider: what it is asked for in vain, nobody else is asked for over the same network."""
    if value == PROVIDER:
        raise PydanticCustomError("fallback", 'Input should be who needs no network, such as "ngrams" or "sentences"')
    return value


def _tool(value: object) -> object:
    """Refuse a name that is no tool: the set is closed."""
    if value not in TOOLS:
        near = near_to(value, TOOLS) if isinstance(value, str) else ""
        raise PydanticCustomError(
            "tool", "Input should be tools of {known}{near}", {"known": ", ".join(TOOLS), "near": near}
        )
    return value


def _ip(value: object) -> object:
    """Refuse what is no address of a machine."""
    try:
        return str(ip_address(value)) if isinstance(value, str) else _no_ip()
    except ValueError:
        return _no_ip()


def _no_ip() -> object:
    raise PydanticCustomError("ip", "Input should be addresses in numbers, such as 10.0.0.7, and no names")


Similarity = Annotated[float, BeforeValidator(_threshold)]
"""From 0, which is off, to 1."""

StandIn = Annotated[PluginName, BeforeValidator(_stand_in)]
Tool = Annotated[ToolName, BeforeValidator(_tool)]
IpAddress = Annotated[str, BeforeValidator(_ip)]
Port = Annotated[Whole, Field(ge=1, le=65_535)]
Patience = Annotated[Seconds, Field(gt=0, le=60)]
"""No port waits for longer than a minute, whatever was promised."""


class EmbeddingsSettings(Section):
    """How much alike two texts are."""

    backend: PluginName = Field(
        default="ngrams",
        description='Who makes vectors of texts: "ngrams", "sentences" (a local model), "provider" (the route'
        " llm.routes.embedding), or a plug-in of the group mendel.embedders.",
    )
    model: ModelName | None = Field(
        default=None, description="The sentence model: a known name, or a folder; none is all-MiniLM-L6-v2."
    )
    fallback: StandIn = Field(
        default="ngrams", description="Who makes them where that one fails; never a provider, and never mixed."
    )
    patience_s: Seconds = Field(
        default=180.0, gt=0, le=3_600, description="Seconds after which a batch of texts is given to the fallback."
    )
    novelty: Similarity = Field(
        default=0.9995,
        description="At this similarity or above an answer of a model counts as what is already known;"
        ' 0 or "off" switches it off.',
    )


class RetrievalSettings(Section):
    """Where background knowledge comes from."""

    backend: PluginName = Field(
        default=OFF,
        description='Who finds passages: "off", "curated" (chosen texts), "web" (a live search, else these),'
        " or a plug-in of the group mendel.retrievers.",
    )
    endpoint: WebAddress | None = Field(
        default=None, description="Where the search is asked: a server that answers as SearxNG does."
    )
    api_key_env: KeyVariable | None = Field(
        default=None, description="The environment variable that holds its key; the key itself stands in no file."
    )
    corpus: SomePath | None = Field(
        default=None, description="The chosen texts: a folder, or a file of JSON lines; none is the built-in corpus."
    )
    limit: Whole = Field(default=5, ge=1, le=MAX_PASSAGES, description="The most passages for one query.")
    timeout_s: Patience = Field(default=10.0, description="Seconds after which a search is given up.")


class SearchSettings(Section):
    """Where a search tool asks."""

    endpoint: WebAddress | None = Field(
        default=None, description="Where the search is asked: a server that answers as SearxNG does."
    )
    api_key_env: KeyVariable | None = Field(
        default=None, description="The environment variable that holds its key; the key itself stands in no file."
    )
    timeout_s: Patience = Field(default=10.0, description="Seconds after which a search is given up.")


class FetchSettings(Section):
    """What one page may take, and where it may lie."""

    timeout_s: Patience = Field(default=20.0, description="Seconds for a page, redirects and all.")
    connect_s: Patience = Field(default=5.0, description="Seconds for a connection.")
    body_bytes: Whole = Field(
        default=2 * 1024 * 1024, ge=1, le=64 * 1024 * 1024, description="The largest page, decompressed."
    )
    redirects: Whole = Field(default=5, ge=0, le=20, description="Redirects that are followed.")
    ports: tuple[Port, ...] = Field(default=(80, 443), min_length=1, description="Ports that may be reached.")
    trusted: tuple[IpAddress, ...] = Field(
        default=(), description="Addresses that may be reached although they are not public, such as a wiki's."
    )


class ResearchSettings(Section):
    """What a model may look up while it writes."""

    tools: tuple[Tool, ...] = Field(
        default=(), description="Tools that there are: web_search, fetch_url, x_search, youtube_search."
    )
    web_search: SearchSettings = Field(default_factory=SearchSettings, description="Searches of the web.")
    x_search: SearchSettings = Field(default_factory=SearchSettings, description="Searches on X.")
    youtube_search: SearchSettings = Field(default_factory=SearchSettings, description="Searches on YouTube.")
    fetch_url: FetchSettings = Field(default_factory=FetchSettings, description="Single pages.")

    def searches(self) -> Mapping[ToolName, SearchSettings]:
        """The search tools that there are."""
        known: dict[ToolName, SearchSettings] = {
            "web_search": self.web_search,
            "x_search": self.x_search,
            "youtube_search": self.youtube_search,
        }
        return {name: each for name, each in known.items() if name in self.tools}

    def key_variables(self) -> tuple[str, ...]:
        """The environment variables that are named here as holding a key."""
        named = (each.api_key_env for each in (self.web_search, self.x_search, self.youtube_search))
        return tuple(name for name in named if name is not None)

"""Opens a provider's embedder from the plan of the role ``embedding``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mendel.adapters.embeddings.provider import DEFAULT_LIMITS, ProviderEmbedder
from mendel.contracts.embeddings import LEAST_TEXT, EmbeddingLimits
from mendel.contracts.errors import ConfigError
from mendel.contracts.model_plans import RolePlan
from mendel.contracts.scrub import Scrubber
from mendel.ports.model_wire import ModelWire
from mendel.ports.observing import NOBODY, CallObserver

DIMENSIONS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "all-minilm": 384,
        "bge-m3": 1_024,
        "gemini-embedding-001": 3_072,
        "mistral-embed": 1_024,
        "mxbai-embed-large": 1_024,
        "nomic-embed-text": 768,
        "text-embedding-3-large": 3_072,
        "text-embedding-3-small": 1_536,
        "text-embedding-ada-002": 1_536,
    }
)
"""Default dimensions of well-known models."""


def embedder_of_role(
    role: RolePlan,
    wire: ModelWire,
    *,
    dimension: int | None = None,
    scrubber: Scrubber | None = None,
    observer: CallObserver = NOBODY,
) -> ProviderEmbedder:
    """Open the role's first source over its provider's ``wire``. ``dimension`` is required unless the model is known.

    Of the role's limits those for prompt size, time and retries apply. Its fallback is not used, because vectors of
    different models cannot be compared: wrap two embedders in a
    :class:`~mendel.ports.embedder_degradation.DegradingEmbedder` instead.

    Raises:
        ConfigError: the model's dimension is unknown, or the prompt limit leaves no room for a text.
    """
    source = role.sources[0]
    if role.limits.prompt_bytes < LEAST_TEXT:
        raise ConfigError(f"llm.routes.embedding.prompt_bytes: expected {LEAST_TEXT} or more, so that a text fits")
    found = dimension or DIMENSIONS.get(_plain(source.route.model_id))
    if found is None:
        raise ConfigError(f"the vector dimension of {source.route} is unknown; set llm.routes.embedding.dimension")
    limits = EmbeddingLimits(
        bytes_per_call=role.limits.prompt_bytes,
        bytes_per_text=min(DEFAULT_LIMITS.bytes_per_text, role.limits.prompt_bytes),
        timeout_ms=source.timeout_ms or role.limits.timeout_ms,
        retries=role.retries,
    )
    return ProviderEmbedder(
        wire,
        source.route.provider,
        source.route.model_id,
        found,
        price=source.price,
        limits=limits,
        scrubber=scrubber,
        observer=observer,
    )


def _plain(model_id: str) -> str:
    """Strip a model id to its name, without a vendor prefix or a tag suffix."""
    return model_id.rpartition("/")[2].partition(":")[0]

"""Default models of the roles: cheap models breed and criticise, strong ones judge and fuse."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from mendel.contracts.providers import ModelRole
from mendel.ports.offline_roles import PROVIDER as OFFLINE
from mendel.ports.offline_roles import players

BREEDING: Final[tuple[ModelRole, ...]] = (
    "population_generator",
    "mutator",
    "fusion_synthesis",
    "architect",
    "coder",
    "repairer",
)
"""The roles that the ensemble of ``[[llm.backends]]`` plays."""

STRONG: Final[frozenset[ModelRole]] = frozenset(
    {"final_judge", "audit_judge", "fusion_synthesis", "architect", "coder"}
)
ONLY_BY_ROUTE: Final[frozenset[ModelRole]] = frozenset({"embedding", "retrieval"})
"""Roles with a built-in implementation; a provider plays them only with an explicit route."""


class Models(NamedTuple):
    """The default models of a provider."""

    cheap: str
    strong: str
    embedding: str | None = None


MODELS: Final[Mapping[str, Models]] = MappingProxyType(
    {
        "openai": Models("gpt-5.4-mini", "gpt-5.4", "text-embedding-3-small"),
        "openrouter": Models("openai/gpt-5.4-mini", "anthropic/claude-sonnet-4.6"),
        "groq": Models("openai/gpt-oss-20b", "openai/gpt-oss-120b"),
        "anthropic": Models("claude-haiku-4-5", "claude-sonnet-4-6"),
        "google": Models("gemini-2.5-flash", "gemini-2.5-pro", "gemini-embedding-001"),
        "mistral": Models("mistral-small-latest", "mistral-large-latest", "mistral-embed"),
    }
)
"""Default models by kind of provider. Kinds that serve the user's own models have none."""

OTHER_KINDS: Final = ("bedrock", "cohere", "huggingface", "llamacpp", "offline", "ollama", "openai_compatible", "vllm")
"""Kinds of provider without default models."""


def default_model(kind: str, role: ModelRole) -> str | None:
    """Return the default model of a kind of provider for a role, if there is one."""
    if kind == OFFLINE:
        return next(iter(players().get(role, ())), None)
    models = MODELS.get(kind)
    if models is None or role == "retrieval":
        return None
    if role == "embedding":
        return models.embedding
    return models.strong if role in STRONG else models.cheap

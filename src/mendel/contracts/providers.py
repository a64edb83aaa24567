"""What is recorded about the model behind a call: never a key, never a header."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import StringConstraints

from mendel.contracts.base import Contract, Count

Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class ProviderMeta(Contract):
    """Who answered, and what it took. Money in millionths of a US dollar."""

    provider: Short
    model_id: Short
    request_id: Short | None = None
    tokens_in: Count = 0
    tokens_out: Count = 0
    cost_microusd: Count | None = None
    latency_ms: Count | None = None


ModelRole = Literal[
    "population_generator",
    "mutator",
    "critic",
    "subtype_check",
    "final_judge",
    "audit_judge",
    "fusion_synthesis",
    "architect",
    "coder",
    "repairer",
    "embedding",
    "retrieval",
]

HELD_OUT_ROLES: frozenset[str] = frozenset({"final_judge", "audit_judge"})
"""Roles whose route no run may override (rule 6)."""


PROVIDER_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "openai": "OPENAI_API_KEY",
        "anthropic": "ANTHROPIC_API_KEY",
        "google": "GEMINI_API_KEY",
        "openrouter": "OPENROUTER_API_KEY",
        "groq": "GROQ_API_KEY",
        "mistral": "MISTRAL_API_KEY",
        "cohere": "CO_API_KEY",
        "huggingface": "HF_TOKEN",
        "bedrock": "AWS_BEARER_TOKEN_BEDROCK",
    }
)
"""The environment variable that holds the key of each kind of provider, unless the settings name another."""

CLOUD_KEYS: Final = frozenset({"bedrock"})
"""Kinds that also take the access keys of their cloud, so that the variable above may be unset."""


StructuredMode = Literal["json_schema", "json_object", "prompt"]
"""How a provider is held to a schema: by the schema itself, by JSON mode, or by words alone. The gateway validates the
answer all the same."""


class Capabilities(Contract):
    """What a model can do."""

    structured: StructuredMode = "json_schema"
    tools: bool = False
    embeddings: bool = False
    streaming: bool = False


class ModelRoute(Contract):
    """Which model serves a role."""

    provider: Short
    model_id: Short

    def __str__(self) -> str:
        return f"{self.provider}/{self.model_id}"


class Price(Contract):
    """What a million tokens cost, in millionths of a US dollar."""

    input_microusd: Count
    output_microusd: Count

    def of(self, tokens_in: int, tokens_out: int) -> int:
        """What that many tokens cost; every started millionth of a dollar counts whole."""
        return -(-(tokens_in * self.input_microusd + tokens_out * self.output_microusd) // 1_000_000)

"""Models and their providers, as recorded with a call: never a key, never a header."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import StringConstraints

from mendel.contracts.base import Contract, Count

Short = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class ProviderMeta(Contract):
    """Provider and model of a call, with its usage and latency. Money is in millionths of a US dollar."""

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
"""Judging roles, whose route a run may not override (rule 6)."""


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
"""The environment variable with the key of each kind of provider; a setting can name another one."""

CLOUD_KEYS: Final = frozenset({"bedrock"})
"""Kinds that also accept the access keys of their cloud, so that the variable above may be unset."""


StructuredMode = Literal["json_schema", "json_object", "prompt"]
"""How a provider enforces a schema: natively, by JSON mode, or not at all, with the schema in the prompt only. The
gateway validates every answer in any case."""


class Capabilities(Contract):
    """Capabilities of a model."""

    structured: StructuredMode = "json_schema"
    tools: bool = False
    embeddings: bool = False
    streaming: bool = False


class ModelRoute(Contract):
    """Provider and model that serve a role."""

    provider: Short
    model_id: Short

    def __str__(self) -> str:
        return f"{self.provider}/{self.model_id}"


class Price(Contract):
    """Price of a million tokens, in millionths of a US dollar."""

    input_microusd: Count
    output_microusd: Count

    def of(self, tokens_in: int, tokens_out: int) -> int:
        """Return the cost of this many tokens, rounded up to whole millionths of a dollar."""
        return -(-(tokens_in * self.input_microusd + tokens_out * self.output_microusd) // 1_000_000)

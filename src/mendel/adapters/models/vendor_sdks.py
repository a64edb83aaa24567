"""Sets up each vendor's SDK: one HTTP call over our own transport, no retries, and only the key that it is given."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mendel.adapters.models.vendor_http import OneCall
from mendel.ports.model_wire import WireContext, WireFailed

if TYPE_CHECKING:
    from pydantic_ai.models import Model

Models = Callable[[str], "Model[Any]"]
"""Returns a vendor's model by its id."""


@dataclass(frozen=True, slots=True)
class Vendor:
    """One vendor: its modules, the function that sets it up, and the settings that it does not support.

    ``instead_of_key`` lists environment variables that together replace a missing key.
    """

    name: str
    modules: tuple[str, ...]
    connect: Callable[[WireContext, OneCall], Models]
    left_out: frozenset[str] = frozenset()
    instead_of_key: tuple[str, ...] = ()


def _anthropic(context: WireContext, calls: OneCall) -> Models:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        api_key=context.api_key, base_url=context.base_url, http_client=calls.client(), max_retries=0
    )
    provider = AnthropicProvider(anthropic_client=client)
    return lambda model_id: AnthropicModel(model_id, provider=provider)


def _google(context: WireContext, calls: OneCall) -> Models:
    from google.genai.types import HttpRetryOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(
        api_key=context.api_key,
        base_url=context.base_url,
        http_client=calls.client(),
        retry_options=HttpRetryOptions(attempts=1),
    )
    return lambda model_id: GoogleModel(model_id, provider=provider)


def _mistral(context: WireContext, calls: OneCall) -> Models:
    from pydantic_ai.models.mistral import MistralModel
    from pydantic_ai.providers.mistral import MistralProvider

    provider = MistralProvider(api_key=context.api_key, base_url=context.base_url, http_client=calls.client())
    return lambda model_id: MistralModel(model_id, provider=provider)


def _bedrock(context: WireContext, calls: OneCall) -> Models:
    from pydantic_ai.models.bedrock import BedrockConverseModel
    from pydantic_ai.providers.bedrock import BedrockProvider

    from mendel.adapters.models.vendor_boto import bedrock_client

    if context.api_key is not None and (context.base_url or "").startswith("http:"):
        raise WireFailed("not_configured", f"{context.provider} accepts a key over https only", unsent=True)
    region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if region is None and context.base_url is None:
        raise WireFailed(
            "not_configured", f"{context.provider} needs a region: set the variable AWS_REGION", unsent=True
        )
    provider = BedrockProvider(bedrock_client=bedrock_client(context, calls, region or _ANY_REGION))
    return lambda model_id: BedrockConverseModel(model_id, provider=provider)


_ANY_REGION: Final = "us-east-1"
"""At a custom address the region only matters for the signature, so any will do."""


def _cohere(context: WireContext, calls: OneCall) -> Models:
    from cohere import AsyncClientV2  # type: ignore[import-not-found,unused-ignore] # in none of our extras
    from pydantic_ai.models.cohere import CohereModel
    from pydantic_ai.providers.cohere import CohereProvider

    from mendel.adapters.models.vendor_httpx import HttpxDoor

    door = HttpxDoor(calls).client()
    client = AsyncClientV2(
        context.api_key,
        base_url=context.base_url,
        max_retries=0,
        httpx_client=door,
        log_warning_experimental_features=False,
    )
    provider = CohereProvider(cohere_client=client)
    return lambda model_id: CohereModel(model_id, provider=provider)


def _huggingface(context: WireContext, calls: OneCall) -> Models:
    from pydantic_ai.models.huggingface import HuggingFaceModel
    from pydantic_ai.providers.huggingface import HuggingFaceProvider

    from mendel.adapters.models.vendor_hub import hub_client

    client = hub_client(context.api_key, context.base_url or _ROUTER, calls)
    provider = HuggingFaceProvider(hf_client=client, api_key=context.api_key)
    return lambda model_id: HuggingFaceModel(model_id, provider=provider)


_ROUTER: Final = "https://router.huggingface.co/v1"
"""Without an address its SDK would first look up, in an uncounted call, which provider serves the model."""


_ALL: Final = (
    Vendor("anthropic", ("pydantic_ai.models.anthropic",), _anthropic, frozenset({"seed"})),
    Vendor(
        "bedrock",
        ("pydantic_ai.models.bedrock",),
        _bedrock,
        frozenset({"seed", "max_retries", "timeout"}),
        ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
    ),
    Vendor("cohere", ("pydantic_ai.models.cohere",), _cohere, frozenset({"timeout"})),
    Vendor("huggingface", ("pydantic_ai.models.huggingface",), _huggingface, frozenset({"max_retries", "timeout"})),
    Vendor("google", ("pydantic_ai.models.google",), _google),
    Vendor("mistral", ("pydantic_ai.models.mistral",), _mistral),
)
BY_NAME: Final[Mapping[str, Vendor]] = {vendor.name: vendor for vendor in _ALL}

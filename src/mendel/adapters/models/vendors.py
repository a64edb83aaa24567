"""The vendors that are spoken to through pydantic-ai: plug-ins of ``mendel.llm_backends``, one by each name.

Importing this module imports neither pydantic-ai nor an SDK of a provider; opening a wire imports those of that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mendel.ports.model_wire import ModelWire, WireContext, WireFailed

VENDORS: Final[Mapping[str, str]] = {
    "anthropic": "anthropic",
    "bedrock": "bedrock",
    "cohere": "cohere",
    "gemini": "google",
    "google": "google",
    "huggingface": "huggingface",
    "mistral": "mistral",
}
"""Names of providers, and which vendor's wire each is."""


def open_vendor(context: WireContext) -> ModelWire:
    """The wire to the vendor that the provider is, by its kind or else its name. Its first question needs the key.

    Raises:
        WireFailed: nobody here knows the provider, or the libraries that speak to it are not installed.
    """
    kind = context.kind or context.provider
    vendor = VENDORS.get(kind)
    if vendor is None:
        known = ", ".join(sorted(VENDORS))
        raise WireFailed("not_configured", f"no vendor is called {kind!r}; known are {known}", unsent=True)
    try:
        from mendel.adapters.models.vendor_wire import wire_of

        return wire_of(vendor, context)
    except ImportError as error:
        raise WireFailed("not_configured", _how_to_install(vendor, error), unsent=True) from error


def _how_to_install(vendor: str, error: ImportError) -> str:
    first = error.__cause__ if isinstance(error.__cause__, ImportError) else error
    missing = (first.name or "pydantic_ai").partition(".")[0]
    also = f" and pip install 'pydantic-ai-slim[{vendor}]'" if vendor in _NOT_IN_THE_EXTRA else ""
    return f"{vendor} needs a library that is not installed here ({missing}): pip install 'mendel[models]'{also}"


_NOT_IN_THE_EXTRA: Final = frozenset({"cohere", "huggingface"})

"""Vendors that are called through pydantic-ai: plug-ins of ``mendel.llm_backends``, one for each name.

Importing this module imports neither pydantic-ai nor a provider's SDK; opening a wire imports only those it needs.
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
"""Names of providers, and the vendor for each."""


def open_vendor(context: WireContext) -> ModelWire:
    """Open the wire to a vendor, found by the provider's kind or else its name. The key is checked on the first call.

    Raises:
        WireFailed: the provider is unknown, or the libraries for it are not installed.
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


_NOT_IN_THE_EXTRA: Final = frozenset({"cohere", "huggingface"})  # of mendel[models]

"""Addresses of the known providers, and which of them need a key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from mendel.contracts.errors import ConfigError
from mendel.contracts.providers import CLOUD_KEYS, PROVIDER_KEYS


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """A kind of provider. ``local``: it serves the user's own models, without charge.

    Without a ``base_url`` either its library has the address, or the settings must. ``address_variable`` names an
    environment variable with the address.
    """

    base_url: str | None = None
    address_variable: str | None = None
    local: bool = False


KNOWN: Final[Mapping[str, KnownProvider]] = MappingProxyType(
    {
        "openai": KnownProvider("https://api.openai.com/v1"),
        "openrouter": KnownProvider("https://openrouter.ai/api/v1"),
        "groq": KnownProvider("https://api.groq.com/openai/v1"),
        "ollama": KnownProvider("http://localhost:11434/v1", address_variable="OLLAMA_BASE_URL", local=True),
        "vllm": KnownProvider("http://localhost:8000/v1", local=True),
        "llamacpp": KnownProvider("http://localhost:8080/v1", local=True),
        "openai_compatible": KnownProvider(),
        "anthropic": KnownProvider(),
        "google": KnownProvider(),
        "mistral": KnownProvider(),
        "cohere": KnownProvider(),
        "huggingface": KnownProvider(),
        "bedrock": KnownProvider(),
        "offline": KnownProvider(local=True),
    }
)
"""By kind; `PROVIDER_KEYS` names the variables with their keys."""

_STRANGER: Final = KnownProvider()  # of a plug-in
_PLAIN_ADDRESS: Final = re.compile(r"https?://[^\s/@]+(?:/[^\s@]*)?")  # no user and no password


def known(kind: str) -> KnownProvider:
    """Return the entry of a kind; an empty one for the kind of a plug-in."""
    return KNOWN.get(kind, _STRANGER)


def address_of(kind: str, base_url: str | None, environ: Mapping[str, str]) -> str | None:
    """Return a provider's address: from the settings, else from its variable, else the well-known one.

    Local servers offer OpenAI's interface under ``/v1``, which is added to an address without a path.

    Raises:
        ConfigError: the variable is not an address, or the address contains a password.
    """
    about = known(kind)
    told = environ.get(about.address_variable, "") if about.address_variable is not None else ""
    if told and base_url is None and not _PLAIN_ADDRESS.fullmatch(told):
        raise ConfigError(f"{about.address_variable} must be an http or https address without a password")
    address = base_url or told or about.base_url
    if address is not None and about.local and not _path(address):  # Ollama, vLLM and llama.cpp
        return f"{address.rstrip('/')}/v1"
    return address


def key_variable_of(kind: str, named: str | None, base_url: str | None) -> str | None:
    """Return the variable that must hold a provider's key; None if it needs no key, or accepts its cloud's keys too.

    A key is sent only to its own provider: for any other address the variable must be named explicitly.
    """
    if named is not None or base_url is not None:
        return named
    return PROVIDER_KEYS.get(kind) if kind not in CLOUD_KEYS else None


def is_free(kind: str, base_url: str | None) -> bool:
    """Whether calls are free: the user's own models, or a server on this machine."""
    return known(kind).local or (base_url is not None and is_loopback(base_url))


def is_loopback(address: str) -> bool:
    """Whether an address is on this machine."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:
        return False


def _path(address: str) -> str:
    try:
        return urlsplit(address).path.strip("/")
    except ValueError:
        return ""

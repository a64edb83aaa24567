"""Where the known providers are, and whether one needs a key."""

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
    """A kind of provider. ``local``: it serves models of one's own, and nobody sends a bill.

    Without a ``base_url`` its own library knows where it is, or the settings have to say it. ``address_variable`` names
    an environment variable that says where it is.
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
"""By kind; `PROVIDER_KEYS` names the variables of their keys."""

_STRANGER: Final = KnownProvider()
_PLAIN_ADDRESS: Final = re.compile(r"https?://[^\s/@]+(?:/[^\s@]*)?")


def known(kind: str) -> KnownProvider:
    """What is known of a kind; nothing of a plug-in's."""
    return KNOWN.get(kind, _STRANGER)


def address_of(kind: str, base_url: str | None, environ: Mapping[str, str]) -> str | None:
    """Where a provider is: as the settings say, else as its variable says, else as everybody knows.

    Those who serve models of one's own speak as OpenAI does below ``/v1``, which is added where there is no path.

    Raises:
        ConfigError: the variable holds something else than an address, or an address with a password in it.
    """
    about = known(kind)
    told = environ.get(about.address_variable, "") if about.address_variable is not None else ""
    if told and base_url is None and not _PLAIN_ADDRESS.fullmatch(told):
        raise ConfigError(f"{about.address_variable} is no address of http or https without a password in it")
    address = base_url or told or about.base_url
    if address is not None and about.local and not _path(address):
        return f"{address.rstrip('/')}/v1"
    return address


def key_variable_of(kind: str, named: str | None, base_url: str | None) -> str | None:
    """The variable that has to hold a provider's key; none where it needs none, or takes its cloud's keys as well.

    A key goes only where it is meant to go: at another address than the provider's own the variable has to be named.
    """
    if named is not None or base_url is not None:
        return named
    return PROVIDER_KEYS.get(kind) if kind not in CLOUD_KEYS else None


def is_free(kind: str, base_url: str | None) -> bool:
    """Whether nobody sends a bill: models of one's own, or a server on this machine."""
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

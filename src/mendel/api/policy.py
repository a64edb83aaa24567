"""The access policy of a server: host names, origins, token and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr

LOOPBACK_NAMES: Final = frozenset({"localhost"})


@dataclass(frozen=True)
class Limits:
    """Limits per client; a rate of 0 requests per second means no limit."""

    body_bytes: int = 1 << 20
    file_bytes: int = 256 << 20
    body_timeout_s: float = 20.0
    writes_per_s: float = 0.5
    writes_at_once: int = 30
    reads_per_s: float = 50.0
    reads_at_once: int = 200
    streams: int = 200


@dataclass(frozen=True)
class Policy:
    """The access rules; ``bound`` is the listening address. Without a token, every client may make changes."""

    bound: str = "127.0.0.1"
    token: SecretStr | None = None
    read_token: bool = False
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)

    def answers_to(self, host: str) -> bool:
        """Whether a ``Host`` header names this server.

        This prevents DNS rebinding: a page whose host name was redirected here sends that name, never an address.
        """
        name = name_of(host)
        if name in self.hosts or name == self.bound or is_loopback(name):
            return True
        return means_all(self.bound) and _is_address(name)  # a wildcard server is reached at any address

    def trusts(self, origin: str, host: str) -> bool:
        """Whether pages of an origin may make changes: this server's own page, and origins in the settings."""
        return origin in self.origins or _place_of(origin) == host.lower()


def _place_of(origin: str) -> str | None:
    """Return host and port of an origin, or None if it is invalid."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def name_of(host: str) -> str:
    """Return the name in a ``Host`` header, in lower case, without port and brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether an address or name is reachable only from this machine."""
    return name in LOOPBACK_NAMES or (_is_address(name) and ip_address(name).is_loopback)


def means_all(name: str) -> bool:
    """Whether an address is a wildcard for all addresses of the machine."""
    return _is_address(name) and ip_address(name).is_unspecified


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True

"""Whom a server lets in, by what name, and how much of them it bears."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from pydantic import SecretStr

LOOPBACK_NAMES: Final = frozenset({"localhost"})


@dataclass(frozen=True)
class Limits:
    """How much one client may ask for; 0 requests a second are any number."""

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
    """``bound`` is the address that the server listens on. Without a token whoever reaches it may change things."""

    bound: str = "127.0.0.1"
    token: SecretStr | None = None
    read_token: bool = False
    hosts: frozenset[str] = frozenset()
    origins: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)

    def answers_to(self, host: str) -> bool:
        """Whether a ``Host`` header means this server.

        A page of a stranger whose name was made to lead here (DNS rebinding) sends its own name, and never an address.
        """
        name = name_of(host)
        if name in self.hosts or name == self.bound or is_loopback(name):
            return True
        return means_all(self.bound) and _is_address(name)

    def trusts(self, origin: str, host: str) -> bool:
        """Whether a page of that origin may change things here: our own, or one that the settings name."""
        return origin in self.origins or _place_of(origin) == host.lower()


def _place_of(origin: str) -> str | None:
    """Host and port of an origin; none of what is no address."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None


def name_of(host: str) -> str:
    """A ``Host`` header without its port, in lower case; an address without its brackets."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether only this machine reaches that address or name."""
    return name in LOOPBACK_NAMES or (_is_address(name) and ip_address(name).is_loopback)


def means_all(name: str) -> bool:
    """Whether it stands for every address of the machine."""
    return _is_address(name) and ip_address(name).is_unspecified


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True

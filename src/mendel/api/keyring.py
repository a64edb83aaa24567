"""Which tokens are good at a server: its own for everything, those that domains issue for what their scope says."""

from __future__ import annotations

import hmac
from typing import NamedTuple

from starlette.requests import HTTPConnection

from mendel.api.domain_paths import DomainPaths, Issued
from mendel.api.policy import Policy


class Key(NamedTuple):
    """A token that is good; ``issued`` is None for the server's own, which opens everything."""

    issued: Issued | None = None

    def allows(self, method: str, path: str) -> bool:
        """Whether that may be done with it."""
        return self.issued is None or self.issued.allows(method, path)

    def allows_message(self, kind: str | None) -> bool:
        """Whether a socket takes messages of that type with it."""
        return self.issued is None or kind in self.issued.scope.messages


class Keyring:
    """The tokens of one server."""

    def __init__(self, policy: Policy, paths: DomainPaths) -> None:
        self._policy, self._paths = policy, paths

    @property
    def wanted(self) -> bool:
        """Whether the server has a token of its own, so that changes need one."""
        return self._policy.token is not None

    def key(self, token: str | None) -> Key | None:
        """What a token opens; None if it is none of ours."""
        if token is None:
            return None
        own = self._policy.token
        if own is not None and hmac.compare_digest(token.encode(), own.get_secret_value().encode()):
            return Key()
        issued = self._paths.issued(token)
        return Key(issued) if issued is not None else None


def bearer(connection: HTTPConnection) -> str | None:
    """The token in the header ``Authorization``."""
    kind, _, given = connection.headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else None

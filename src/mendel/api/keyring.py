"""The valid tokens of a server: its own token for everything, and tokens of domains for their scopes."""

from __future__ import annotations

import hmac
from typing import NamedTuple

from starlette.requests import HTTPConnection

from mendel.api.domain_paths import DomainPaths, Issued
from mendel.api.policy import Policy


class Key(NamedTuple):
    """A valid token; ``issued`` is None for the server's own token, which allows everything."""

    issued: Issued | None = None

    def allows(self, method: str, path: str) -> bool:
        """Whether the token allows this request."""
        return self.issued is None or self.issued.allows(method, path)

    def allows_message(self, kind: str | None) -> bool:
        """Whether the token allows messages of this type on a socket."""
        return self.issued is None or kind in self.issued.scope.messages


class Keyring:
    """The tokens of one server."""

    def __init__(self, policy: Policy, paths: DomainPaths) -> None:
        self._policy, self._paths = policy, paths

    @property
    def wanted(self) -> bool:
        """Whether the server has its own token, so that changes require one."""
        return self._policy.token is not None

    def key(self, token: str | None) -> Key | None:
        """Return the key for a token, or None if the token is invalid."""
        if token is None:
            return None
        own = self._policy.token
        # Constant time, so that the duration does not reveal how much of a guess is right.
        if own is not None and hmac.compare_digest(token.encode(), own.get_secret_value().encode()):
            return Key()
        issued = self._paths.issued(token)
        return Key(issued) if issued is not None else None


def bearer(connection: HTTPConnection) -> str | None:
    """Return the token in the header ``Authorization``, if there is one."""
    kind, _, given = connection.headers.get("authorization", "").partition(" ")
    return given.strip() if kind.lower() == "bearer" else None

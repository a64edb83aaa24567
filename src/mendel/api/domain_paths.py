"""Paths that domains add to a server, and the check that no two parts serve the same one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

from fastapi import APIRouter

from mendel.api.domain_services import Hosted, TokenScope, below
from mendel.contracts.errors import PathsCollide

API_PATHS: Final = ("/api", "/healthz", "/readyz", "/metrics")
PAGE_PATHS: Final = (
    "/runs",
    "/launch",
    "/compare",
    "/guard",
    "/models",
    "/settings",
    "/open",
    "/files",
    "/domains",
    "/assets",
)
"""First parts of the page's addresses; its routes are in ``web/src/shell/routes.tsx``."""


@dataclass(frozen=True)
class Mount:
    """A router of a domain and the path it is served below; ``reading`` lists messages that change nothing."""

    domain: str
    path: str
    router: APIRouter
    reading: frozenset[str] = frozenset()

    @property
    def at_root(self) -> bool:
        """Whether it is outside of the API's path."""
        return not below("/api", self.path)


class Issued(NamedTuple):
    """A token that a domain has issued, which is valid only for the domain's own paths."""

    scope: TokenScope
    mounts: tuple[Mount, ...]

    def allows(self, method: str, path: str) -> bool:
        """Whether the token allows this request."""
        return self.scope.allows(method, path) and any(below(mount.path, path) for mount in self.mounts)


@dataclass(frozen=True)
class DomainPaths:
    """The paths of all domains of one server, and their services, which may issue tokens for them."""

    mounts: Sequence[Mount] = ()
    hosted: Sequence[Hosted] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """The paths outside of the API."""
        return tuple(mount.path for mount in self.mounts if mount.at_root)

    def reading_at(self, path: str) -> frozenset[str]:
        """Return the message types that change nothing on sockets at a path.

        The router with the longest matching path counts; of several such routers, only types that all of them declare.
        """
        found = [mount for mount in self.mounts if below(mount.path, path)]
        nearest = max((len(mount.path) for mount in found), default=0)
        declared = [mount.reading for mount in found if len(mount.path) == nearest]
        return frozenset.intersection(*declared) if declared else frozenset()  # in doubt, a message is a change

    def issued(self, token: str) -> Issued | None:
        """Return the scope and paths of a token, if a domain has issued it."""
        for hosted in self.hosted:
            scope = hosted.scope_of(token)
            if scope is not None:
                return Issued(scope, tuple(mount for mount in self.mounts if mount.domain == hosted.domain))
        return None


class _Claim(NamedTuple):
    owner: str
    path: str


def refuse_collisions(mounts: Sequence[Mount], page: Path | None) -> None:
    """Make sure that every address belongs to one part only.

    Raises:
        PathsCollide: two parts serve the same path, or one serves a path below another's; both are named.
    """
    for one, other in combinations([*_own(page), *_declared(mounts)], 2):
        if one.owner != other.owner and (below(one.path, other.path) or below(other.path, one.path)):
            raise PathsCollide(
                f"{other.owner} serves {other.path}, which collides with {one.path} of {one.owner}; uninstall one of"
                " them, or let it declare another path"
            )


def _declared(mounts: Sequence[Mount]) -> Iterator[_Claim]:
    """Yield the paths that domains declare in addition to their default place in the API."""
    for mount in mounts:
        if mount.path != place_of(mount.domain):
            yield _Claim(f"the domain {mount.domain}", mount.path)


def place_of(domain: str) -> str:
    """Return the default path of a domain's routes within the API."""
    return f"/api/domains/{domain}"


def _own(page: Path | None) -> Iterator[_Claim]:
    yield from (_Claim("the API", path) for path in API_PATHS)
    files = [f"/{path.name}" for path in page.iterdir()] if page is not None else []
    yield from (_Claim("the page", path) for path in dict.fromkeys((*PAGE_PATHS, *files)))

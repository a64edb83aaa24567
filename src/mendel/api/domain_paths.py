"""Paths that domains add to a server: where their routers are served, and that no two parts want the same one."""

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
"""Addresses of the page, by their first part; its routes are in ``web/src/shell/routes.tsx``."""


@dataclass(frozen=True)
class Mount:
    """A router of a domain and the path below which it is served; ``reading`` are messages that change nothing."""

    domain: str
    path: str
    router: APIRouter
    reading: frozenset[str] = frozenset()

    @property
    def at_root(self) -> bool:
        """Whether it is beside the API, not within."""
        return not below("/api", self.path)


class Issued(NamedTuple):
    """A token that a domain has issued; it opens nothing but what is the domain's."""

    scope: TokenScope
    mounts: tuple[Mount, ...]

    def allows(self, method: str, path: str) -> bool:
        """Whether that may be done with it."""
        return self.scope.allows(method, path) and any(below(mount.path, path) for mount in self.mounts)


@dataclass(frozen=True)
class DomainPaths:
    """What the domains of one server serve, and their services, which may issue tokens for it."""

    mounts: Sequence[Mount] = ()
    hosted: Sequence[Hosted] = ()

    @property
    def roots(self) -> tuple[str, ...]:
        """The paths beside the API."""
        return tuple(mount.path for mount in self.mounts if mount.at_root)

    def reading_at(self, path: str) -> frozenset[str]:
        """The messages that change nothing where they are sent to a socket at that path.

        Of a domain's routers the one with the longest path counts; of several there, what all of them say.
        """
        found = [mount for mount in self.mounts if below(mount.path, path)]
        nearest = max((len(mount.path) for mount in found), default=0)
        declared = [mount.reading for mount in found if len(mount.path) == nearest]
        return frozenset.intersection(*declared) if declared else frozenset()

    def issued(self, token: str) -> Issued | None:
        """What a token is good for if a domain has issued it."""
        for hosted in self.hosted:
            scope = hosted.scope_of(token)
            if scope is not None:
                return Issued(scope, tuple(mount for mount in self.mounts if mount.domain == hosted.domain))
        return None


class _Claim(NamedTuple):
    owner: str
    path: str


def refuse_collisions(mounts: Sequence[Mount], page: Path | None) -> None:
    """Make sure that every address leads to one part only.

    Raises:
        PathsCollide: two parts want the same path, or one wants a path below another's; both are named.
    """
    for one, other in combinations([*_own(page), *_declared(mounts)], 2):
        if one.owner != other.owner and (below(one.path, other.path) or below(other.path, one.path)):
            raise PathsCollide(
                f"{other.owner} serves {other.path}, which collides with {one.path} of {one.owner}; uninstall one of"
                " them, or let it declare another path"
            )


def _declared(mounts: Sequence[Mount]) -> Iterator[_Claim]:
    """What domains want beside the place in the API that each has by its name."""
    for mount in mounts:
        if mount.path != place_of(mount.domain):
            yield _Claim(f"the domain {mount.domain}", mount.path)


def place_of(domain: str) -> str:
    """Where a domain's routes are within the API."""
    return f"/api/domains/{domain}"


def _own(page: Path | None) -> Iterator[_Claim]:
    yield from (_Claim("the API", path) for path in API_PATHS)
    files = [f"/{path.name}" for path in page.iterdir()] if page is not None else []
    yield from (_Claim("the page", path) for path in dict.fromkeys((*PAGE_PATHS, *files)))

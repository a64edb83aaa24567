"""Services of domains, which live as long as the server, and the tokens that they issue.

Services are created and started before the server listens, in the order of registration; an error then prevents the
server from starting. They are stopped in reverse order after the last request, or when a later service fails to start.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Final, NamedTuple, Protocol, TypeVar

import structlog
from pydantic import BaseModel
from starlette.requests import HTTPConnection

from mendel.api.domain_projecting import TablesOf
from mendel.contracts.errors import ServiceNotStarted
from mendel.ports.event_log import EventLog

Section = TypeVar("Section", bound=BaseModel)
PATIENCE_S: Final = 3.0
"""The timeout of a service's health check."""
STOPPING_S: Final = 10.0  # a service that hangs must not keep the server alive


class SectionOf(Protocol):
    """Returns the settings in a domain's table, from ``mendel.toml``, the environment and flags."""

    def __call__(self, model: type[Section]) -> Section:
        """Return the table as this model, with its defaults for unset keys."""


def _unset(model: type[Section]) -> Section:
    return model()


@dataclass(frozen=True)
class ServiceContext:
    """The arguments of a new service: the home folder, the log (read-only), and the tables of its domain.

    ``section`` returns the settings of its domain as a given model.
    """

    home: Path
    log: EventLog
    own_tables: TablesOf | None = None
    section: SectionOf = _unset

    @property
    def tables(self) -> TablesOf:
        """The tables of the service's domain.

        Raises:
            LookupError: the domain declares no tables.
        """
        if self.own_tables is None:
            raise LookupError("this domain declares no tables: its registration has no `tables`")
        return self.own_tables


class Health(NamedTuple):
    """Whether a service can do its work, with details."""

    ready: bool
    detail: str


@dataclass(frozen=True)
class TokenScope:
    """The scope of a token that a domain has issued; everything else is refused.

    The token allows ``methods`` below those ``paths`` that belong to the domain. On sockets, which GET opens, it allows
    messages of the types in ``messages``.
    """

    paths: tuple[str, ...]
    methods: frozenset[str] = frozenset({"GET"})
    messages: frozenset[str] = frozenset()

    def allows(self, method: str, path: str) -> bool:
        """Whether the token allows this request."""
        asked = "GET" if method == "HEAD" else method
        return asked in self.methods and any(below(each, path) for each in self.paths)


class Service(ABC):
    """A part of a domain that lives as long as the server; it is created with a :class:`ServiceContext`.

    Its name is unique within the domain. Its methods run in the server's event loop, which they must not block.
    """

    name: ClassVar[str]

    @abstractmethod
    async def start(self) -> None:
        """Start, before the server listens. An exception prevents the server from starting; its message is shown."""

    @abstractmethod
    async def stop(self) -> None:
        """Stop, after the last request. Called only if the service was started."""

    @abstractmethod
    async def health(self) -> Health:
        """Report the current health. ``/readyz`` is public, so include no secret and no address."""

    def scope_of(self, token: str) -> TokenScope | None:  # noqa: ARG002 - for services that issue tokens
        """Return a token's scope if this service issued it. Called for every request with a token; must be quick."""
        return None


ServiceMaker = Callable[[ServiceContext], Service]
Kind = TypeVar("Kind", bound=Service)


class Hosted(NamedTuple):
    """A service of a domain in this server."""

    domain: str
    service: Service

    @property
    def name(self) -> str:
        """The service's name among all services."""
        return f"{self.domain}.{self.service.name}"

    async def health(self) -> Health:
        """Check the service's health; a timeout or an exception means not ready."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return _checked(await self.service.health())
        except TimeoutError:
            return Health(ready=False, detail=f"no answer in {PATIENCE_S:g} s")
        except Exception as error:  # noqa: BLE001 - third-party code is a boundary; an error is its health
            return Health(ready=False, detail=getattr(error, "code", type(error).__name__))

    def scope_of(self, token: str) -> TokenScope | None:
        """Return a token's scope if this service issued it; an error counts as not issued."""
        scope = None
        with self._logged("token_not_looked_up", lambda error: type(error).__name__):  # its text may quote the token
            scope = self.service.scope_of(token)
        return scope  # noqa: RET504 - none where the service failed

    async def stop(self) -> None:
        """Stop the service; failures are only logged, so that the other services are stopped, too."""
        with self._logged("service_not_stopped"):
            async with asyncio.timeout(STOPPING_S):
                await self.service.stop()

    @contextmanager
    def _logged(self, event: str, say: Callable[[Exception], str] = repr) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - as above
            structlog.get_logger(__name__).error(event, service=self.name, error=say(error))


def _checked(answer: object) -> Health:
    """Check the type of a service's health; a wrong type means not ready."""
    if isinstance(answer, Health) and tuple(map(type, answer)) == (bool, str):
        return answer
    return Health(ready=False, detail=f"health returns a {type(answer).__name__}, not a Health with the right types")


@asynccontextmanager
async def running(
    made: Sequence[tuple[str, ServiceMaker]], context: ServiceContext, tables: Mapping[str, TablesOf]
) -> AsyncIterator[Sequence[Hosted]]:
    """Create and start services, each with the tables of its domain; stop them in reverse order at the end.

    Raises:
        ServiceNotStarted: a service does not start; the ones before it are stopped.
    """
    async with AsyncExitStack() as stack:
        hosted: list[Hosted] = []
        for domain, maker in made:
            each = await _started(domain, maker, replace(context, own_tables=tables.get(domain)))
            stack.push_async_callback(each.stop)  # the stack stops them in reverse order
            hosted.append(each)
        yield hosted


async def _started(domain: str, maker: ServiceMaker, context: ServiceContext) -> Hosted:
    try:
        hosted = Hosted(domain, maker(context))
        await hosted.service.start()
    # Broad on purpose: third-party code may raise anything; the message keeps the reason.
    except Exception as error:
        named = getattr(maker, "name", None) or getattr(maker, "__name__", "service")
        raise ServiceNotStarted(f"the service {named} of the domain {domain} does not start: {error}") from error
    return hosted


def service_of(connection: HTTPConnection, kind: type[Kind]) -> Kind:
    """Return the service of a class, for a route of the same domain.

    Raises:
        LookupError: this server runs no such service.
    """
    for hosted in connection.app.state.services.hosted:
        if isinstance(hosted.service, kind):
            return hosted.service
    raise LookupError(f"this server runs no {kind.__name__}")


def tables_of(connection: HTTPConnection, domain: str) -> TablesOf:
    """Return the tables of a domain, for a route of the same domain; no service is needed.

    Raises:
        LookupError: the domain declares no tables, or they are unusable.
    """
    found: TablesOf | None = connection.app.state.services.tables.get(domain)
    if found is None:
        raise LookupError(f"the domain {domain} has no tables here: its registration has no usable `tables`")
    return found


def below(prefix: str, path: str) -> bool:
    """Whether a path equals the prefix or lies below it."""
    return path == prefix or path.startswith(f"{prefix}/")

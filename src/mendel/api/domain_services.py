"""Services of domains: what lives as long as a server does, and the tokens that it issues.

A service is made and started before the server listens, in the order of its registration; what it raises then keeps
the server from listening. Services are stopped in the reverse order, after the last request, and also when a later one
does not start.
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
"""How long a service may take to say how it is."""
STOPPING_S: Final = 10.0


class SectionOf(Protocol):
    """Answers with what ``mendel.toml``, the environment and flags set in a table of a domain."""

    def __call__(self, model: type[Section]) -> Section:
        """The table with this model; its defaults where nothing is set."""


def _unset(model: type[Section]) -> Section:
    return model()


@dataclass(frozen=True)
class ServiceContext:
    """What a service gets when it is made: the folder of this installation, the log, to be read, and its tables.

    ``section`` answers with the settings of its domain by their model.
    """

    home: Path
    log: EventLog
    own_tables: TablesOf | None = None
    section: SectionOf = _unset

    @property
    def tables(self) -> TablesOf:
        """The tables of its domain.

        Raises:
            LookupError: the domain declares none.
        """
        if self.own_tables is None:
            raise LookupError("this domain declares no tables: its registration has no `tables`")
        return self.own_tables


class Health(NamedTuple):
    """Whether a service can do its work, and what was found."""

    ready: bool
    detail: str


@dataclass(frozen=True)
class TokenScope:
    """What a token that a domain has issued is good for, and nothing else is.

    It is good below ``paths``, as far as they are the domain's own, by these ``methods``. A socket is opened by GET and
    takes messages of these types.
    """

    paths: tuple[str, ...]
    methods: frozenset[str] = frozenset({"GET"})
    messages: frozenset[str] = frozenset()

    def allows(self, method: str, path: str) -> bool:
        """Whether that may be done with it."""
        asked = "GET" if method == "HEAD" else method
        return asked in self.methods and any(below(each, path) for each in self.paths)


class Service(ABC):
    """A part of a domain that lives as long as the server. It is made with a :class:`ServiceContext`.

    Its name is unique within the domain. It is called in the server's loop, which it must not block.
    """

    name: ClassVar[str]

    @abstractmethod
    async def start(self) -> None:
        """Begin, before the server listens. Raise to keep it from listening; the message is shown as the reason."""

    @abstractmethod
    async def stop(self) -> None:
        """End, after the last request. Called only if it was started."""

    @abstractmethod
    async def health(self) -> Health:
        """How it is now. ``/readyz`` is public, so it names no secret and no address."""

    def scope_of(self, token: str) -> TokenScope | None:  # noqa: ARG002 - for services that issue tokens
        """What a token is good for if this service has issued it. Asked with every request that has one; quick."""
        return None


ServiceMaker = Callable[[ServiceContext], Service]
Kind = TypeVar("Kind", bound=Service)


class Hosted(NamedTuple):
    """A service of a domain in this server."""

    domain: str
    service: Service

    @property
    def name(self) -> str:
        """Its name among all services."""
        return f"{self.domain}.{self.service.name}"

    async def health(self) -> Health:
        """How it is; one that does not say so in time is not ready."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return _checked(await self.service.health())
        except TimeoutError:
            return Health(ready=False, detail=f"no answer in {PATIENCE_S:g} s")
        except Exception as error:  # noqa: BLE001 - third-party code is a boundary; what it raises is how it is
            return Health(ready=False, detail=getattr(error, "code", type(error).__name__))

    def scope_of(self, token: str) -> TokenScope | None:
        """What a token is good for if this service has issued it; one that cannot say so has not."""
        scope = None
        with self._logged("token_not_looked_up", lambda error: type(error).__name__):  # its text may quote the token
            scope = self.service.scope_of(token)
        return scope  # noqa: RET504 - none where the service failed

    async def stop(self) -> None:
        """Stop it; a failure is logged, so that the other services are stopped, too."""
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
    """What a service says of its health; an answer of another type makes it not ready."""
    if isinstance(answer, Health) and tuple(map(type, answer)) == (bool, str):
        return answer
    return Health(ready=False, detail=f"health answers with a {type(answer).__name__}, not with a Health of its types")


@asynccontextmanager
async def running(
    made: Sequence[tuple[str, ServiceMaker]], context: ServiceContext, tables: Mapping[str, TablesOf]
) -> AsyncIterator[Sequence[Hosted]]:
    """The services, made and started, each with the tables of its domain; stopped in the reverse order at the end.

    Raises:
        ServiceNotStarted: one does not start; those before it are stopped.
    """
    async with AsyncExitStack() as stack:
        hosted: list[Hosted] = []
        for domain, maker in made:
            each = await _started(domain, maker, replace(context, own_tables=tables.get(domain)))
            stack.push_async_callback(each.stop)
            hosted.append(each)
        yield hosted


async def _started(domain: str, maker: ServiceMaker, context: ServiceContext) -> Hosted:
    try:
        hosted = Hosted(domain, maker(context))
        await hosted.service.start()
    # Broad on purpose: as above; the reason is told.
    except Exception as error:
        named = getattr(maker, "name", None) or getattr(maker, "__name__", "service")
        raise ServiceNotStarted(f"the service {named} of the domain {domain} does not start: {error}") from error
    return hosted


def service_of(connection: HTTPConnection, kind: type[Kind]) -> Kind:
    """The service of that class, for a route of the same domain.

    Raises:
        LookupError: this server has none.
    """
    for hosted in connection.app.state.services.hosted:
        if isinstance(hosted.service, kind):
            return hosted.service
    raise LookupError(f"this server runs no {kind.__name__}")


def tables_of(connection: HTTPConnection, domain: str) -> TablesOf:
    """The tables of a domain, for a route of the same domain; it needs no service for them.

    Raises:
        LookupError: it declares none, or they cannot be used.
    """
    found: TablesOf | None = connection.app.state.services.tables.get(domain)
    if found is None:
        raise LookupError(f"the domain {domain} has no tables here: its registration has no `tables` that can be used")
    return found


def below(prefix: str, path: str) -> bool:
    """Whether a path is that prefix or lies below it."""
    return path == prefix or path.startswith(f"{prefix}/")

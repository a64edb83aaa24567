"""Where ports meet adapters: the only importer of adapters."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import cast

import structlog
from pydantic import SecretStr

from mendel.adapters.host.probes import run_probes
from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.postgres import schema
from mendel.adapters.postgres.database import OWNER_ROLE, RUNTIME_ROLE
from mendel.adapters.postgres.embedded import EmbeddedServer, ServerStatus
from mendel.adapters.sandbox.native import REMEDIES
from mendel.contracts.caps import RunCaps
from mendel.contracts.diagnostics import Probe
from mendel.contracts.scrub import Scrubber, passwords_in
from mendel.ports.clock import Clock
from mendel.ports.event_log import EventLog
from mendel.ports.handlers import Ports
from mendel.ports.log_context import LogContext, OpenLog
from mendel.ports.registry import resolve
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import OpenSandbox, SandboxContext
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import PROVIDER_VARIABLES, Settings

Announce = Callable[[str], None]

SANDBOX_REMEDIES = REMEDIES
"""What to do about a layer of the native sandbox that is missing."""

ROLES = {"runtime": RUNTIME_ROLE, "owner": OWNER_ROLE, "admin": "postgres"}
"""Who may be asked for a connection to the embedded server."""


def scrubber(settings: Settings) -> Scrubber:
    """The one scrubber, knowing the secrets of this process's environment and of its settings."""
    passwords = [password for address in settings.addresses() for password in passwords_in(address)]
    return Scrubber.from_environment(os.environ, settings.secret_variables(), passwords)


@asynccontextmanager
async def open_log(settings: Settings, *, create: bool, announce: Announce) -> AsyncIterator[EventLog]:
    """The log that the settings name; ``create`` is for those who write.

    Raises:
        LogNotFound: nothing was ever written here, and nothing is to be made.
        UnknownPlugin: no log of that name is installed.
    """
    if not structlog.is_configured():
        configure_telemetry(settings)
    opener = cast("OpenLog", resolve("mendel.event_logs", settings.log.backend))
    context = LogContext(
        home=settings.home,
        create=create,
        scrubber=scrubber(settings),
        database_url=_plain(settings.database.url),
        owner_url=_plain(settings.database.owner_url),
        patience_s=settings.database.patience_s,
        announce=announce,
    )
    async with await opener(context) as log:
        yield log


@asynccontextmanager
async def open_sandbox(settings: Settings, *, allow_weak: bool = False, workers: int = 0) -> AsyncIterator[Sandbox]:
    """Where untrusted code runs (rule 3), with ``workers`` in place of the settings'; started when it is first used.

    Raises:
        UnknownPlugin: no sandbox of that name is installed.
    """
    opener = cast("OpenSandbox", resolve("mendel.sandboxes", settings.sandbox.backend))
    own = settings.sandbox
    context = SandboxContext(workers or own.workers, allow_weak, own.allow_network, own.allow_gpu, own.bubblewrap)
    async with opener(context) as sandbox:
        yield sandbox


@asynccontextmanager
async def open_fabric(settings: Settings, sandbox: Sandbox | None = None) -> AsyncIterator[TaskFabric]:
    """Where handlers run, with as many workers as the settings say; ``sandbox`` is theirs to use."""
    fabric = MemoryTaskFabric(workers=settings.fabric.workers, ports=Ports(sandbox))
    try:
        yield fabric
    finally:
        await fabric.close()


def system_clock() -> Clock:
    """The clock of this machine."""
    return SystemClock()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look less often while runs are conducted.

    A run's state grows and holds next to no cycles: by default every full collection walks all of it in vain, which
    costs a fifth of the time at 5,000 candidates.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def ceilings(settings: Settings) -> RunCaps:
    """The most that a run may ask for."""
    return RunCaps(**settings.ceilings.model_dump())


def configure_telemetry(settings: Settings) -> None:
    """Diagnostics go to standard error, scrubbed, at the level that the settings ask for."""
    cleaner = scrubber(settings)

    def scrub(_logger: object, _name: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
        return {key: cleaner.text(value) if isinstance(value, str) else value for key, value in event.items()}

    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(),
            scrub,
            _renderer(as_json=settings.telemetry.log_json),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(settings.telemetry.log_level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )


def _renderer(*, as_json: bool) -> structlog.typing.Processor:
    return structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)


def embedded_server(settings: Settings, announce: Announce) -> EmbeddedServer:
    """The PostgreSQL of this home."""
    return EmbeddedServer(settings.home, announce=announce)


def server_status(settings: Settings) -> ServerStatus:
    """What the PostgreSQL of this home is doing."""
    return EmbeddedServer(settings.home).status()


def external_database(settings: Settings) -> str | None:
    """The URL of somebody else's PostgreSQL, if that is used; it may hold a password."""
    return _plain(settings.database.url)


def migrate(settings: Settings, announce: Announce) -> bool:
    """Bring the database up and its schema up to date; whether the schema had to change."""
    url = external_database(settings)
    if url is not None:
        return schema.prepare(_plain(settings.database.owner_url) or url)
    server = embedded_server(settings, announce)
    server.ensure()
    return schema.prepare(server.conninfo(), may_log_in=True)


def diagnose(settings: Settings) -> tuple[Probe, ...]:
    """What of this machine is usable."""
    return run_probes(
        home=settings.home,
        redis_url=_plain(settings.redis.url),
        environ=os.environ,
        provider_variables=PROVIDER_VARIABLES,
    )


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret is not None else None

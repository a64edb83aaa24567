"""`mendel serve`: the observatory, which is an HTTP API and a web page over the log."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Annotated, Final

import orjson
import structlog
import typer
import uvicorn

from mendel.api.app import create_app
from mendel.api.conductors import Conductors
from mendel.api.domain_services import ServiceContext, running
from mendel.api.interrupted import interrupted
from mendel.api.launching import Launcher, Models
from mendel.api.page_files import BUILT
from mendel.api.policy import Limits, Policy, is_loopback, means_all, name_of
from mendel.api.registration import ServedDomain, Workshop
from mendel.api.services import Services
from mendel.api.source import RunSource
from mendel.cli.installation import about_of
from mendel.console.model_choices import refuse_unready
from mendel.console.session import JsonFlag, Session, session_of
from mendel.contracts.errors import EXIT_INTERRUPTED, ConfigError
from mendel.ports.event_log import EventLog
from mendel.ports.registration import find_wording
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Settings
from mendel.settings.sections import ServeSettings
from mendel.wiring import (
    calm_collector,
    ceilings,
    live_plan,
    open_domain_tables,
    open_files,
    open_metrics,
    open_read_models,
    open_run_fabric,
    scrubber,
    secret_of,
    served_domains,
)

_GRACE_S: Final = 5  # how long open connections may finish after Ctrl-C
_BACKLOG: Final = 512
_SHORTEST_TOKEN: Final = 16  # characters
_FLAGS: Final = {"home": "--home", "log.backend": "--log"}


def serve(
    context: typer.Context,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on (127.0.0.1); others than loopback need a token: serve.token_env."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="Port to listen on (8765); 0 picks a free one.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Resume interrupted runs at start; on by default.")
    ] = True,
    json: JsonFlag = False,
) -> None:
    """Serve the observatory: a web page that shows live and recorded runs, and its HTTP API.

    The server conducts the runs that are launched on the page and resumes interrupted ones. Ctrl-C stops it cleanly: no
    event is lost, and the next `mendel serve` continues the runs.

    Access from other machines requires a token; serve.token_env in mendel.toml names the variable that holds it.

        mendel serve --open

        mendel serve --port 0 --json

        LAB_TOKEN=… MENDEL_SERVE__TOKEN_ENV=LAB_TOKEN mendel serve --host 0.0.0.0
    """
    session = session_of(context)
    settings = session.loaded.settings
    if settings.log.backend == "memory":
        raise ConfigError("a log in memory ends with its process; serve a log in files or PostgreSQL: --log file")
    given = {"host": host, "port": port}
    own = settings.serve.model_copy(update={key: value for key, value in given.items() if value is not None})
    policy = policy_of(own)
    with _listening(own.host, own.port) as listener:  # first, so that a port in use fails at once
        session.announce("starting the observatory: the log, the domains and the page…")
        told = _Told(session, open_page=open_page, json=json)
        session.run(_until_terminated(_serve(session, policy, listener, told, resume=resume)))


def policy_of(own: ServeSettings) -> Policy:
    """Derive the access policy from the settings.

    Raises:
        ConfigError: other machines could reach the server, and no token protects it against changes.
    """
    token = secret_of(own.token_env) if own.token_env is not None else None
    if own.token_env is not None and token is None:
        raise ConfigError(f"serve.token_env names {own.token_env}, but that variable is not set; export a long token")
    if token is not None and len(token.get_secret_value()) < _SHORTEST_TOKEN:
        raise ConfigError(f"the token in {own.token_env} is too short; it needs at least {_SHORTEST_TOKEN} characters")
    if token is None and not is_loopback(name_of(f"[{own.host}]" if ":" in own.host else own.host)):
        raise ConfigError(
            f"other machines can reach {own.host}, so changes require a token: set serve.token_env in mendel.toml"
            " (or MENDEL_SERVE__TOKEN_ENV) to the name of the variable that holds it, or serve on 127.0.0.1"
        )
    if own.read_token and token is None:
        raise ConfigError("serve.read_token requires a token; name its variable in serve.token_env")
    limits = Limits(
        body_bytes=own.body_kb << 10,
        file_bytes=own.file_mb << 20,
        body_timeout_s=own.body_timeout_s,
        writes_per_s=own.writes_per_minute / 60,
        writes_at_once=max(1, own.writes_per_minute),
        reads_per_s=own.reads_per_second,
        reads_at_once=max(1, 4 * own.reads_per_second),
        streams=own.streams,
    )
    return Policy(
        bound=own.host.lower(),
        token=token,
        read_token=own.read_token,
        hosts=frozenset(name.lower() for name in own.hosts),
        origins=frozenset(origin.rstrip("/") for origin in own.origins),
        limits=limits,
    )


# --- listening -------------------------------------------------------------------------------------------------


@contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """Bind a socket to the address.

    Raises:
        ConfigError: the port is in use, or this machine does not have the address.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError(f"{host} is not an address of this machine: {error.strerror}") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # restart without waiting for old connections
        try:
            listener.bind(address)
        except OSError as error:
            raise ConfigError(
                f"cannot listen on {host}, port {port}: {error.strerror}; choose another with --port, or any free one"
                " with --port 0"
            ) from error
        yield listener


class _Told:
    """Reports the address of the server once it listens."""

    def __init__(self, session: Session, *, open_page: bool, json: bool) -> None:
        self._session, self._open, self._json = session, open_page, json

    def __call__(self, host: str, port: int) -> None:
        """Report the URL; a wildcard address such as 0.0.0.0 cannot be opened, so loopback stands for it."""
        everywhere = means_all(host)
        there = ("::1" if ":" in host else "127.0.0.1") if everywhere else host
        url = f"http://{f'[{there}]' if ':' in there else there}:{port}"
        if self._json:
            typer.echo(orjson.dumps({"url": url, "pid": os.getpid()}).decode())  # one line: callers wait for it
            sys.stdout.flush()
        else:
            others = ", and at every other address of this machine" if everywhere else ""
            self._session.out.print(f"the observatory is at {url}{others}   (Ctrl-C stops it)", soft_wrap=True)
        if self._open:
            webbrowser.open(url)


class _Server(uvicorn.Server):
    """A server that reports when it listens, closes its streams before its connections, and has its own signals."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, told: _Told) -> None:
        super().__init__(config)
        self._listener, self._told = listener, told
        self.ending: list[Callable[[], object]] = []

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Shut down gracefully on the first signal, immediately on the second."""
        loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
        for number in signals:
            loop.add_signal_handler(number, self._asked)
        try:
            yield
        finally:
            for number in signals:
                loop.add_signal_handler(number, _deaf)  # a late signal must not abort the clean shutdown

    def _asked(self) -> None:
        self.force_exit = self.should_exit  # true from the second signal on
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then report the address."""
        await super().startup(sockets)
        self._told(*self._listener.getsockname()[:2])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Refuse new connections, end the streams of watchers, then wait for other requests."""
        for server in self.servers:
            server.close()
        for each in self.ending:
            each()
        await super().shutdown(sockets)


def _deaf() -> None:
    """Ignore a signal: the server is already shutting down."""


# --- serving ---------------------------------------------------------------------------------------------------


async def _until_terminated(serving: Coroutine[None, None, None]) -> None:
    """Treat SIGTERM before the server listens like Ctrl-C, so that services that have started are stopped."""
    task, terminated = asyncio.current_task(), asyncio.Event()

    def terminate() -> None:
        terminated.set()
        if task is not None:
            task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        await serving
    except asyncio.CancelledError:
        if terminated.is_set():  # otherwise it is Ctrl-C, which asyncio.run handles
            raise typer.Exit(EXIT_INTERRUPTED) from None
        raise


async def _serve(session: Session, policy: Policy, listener: socket.socket, told: _Told, *, resume: bool) -> None:
    settings = session.loaded.settings
    domains = served_domains(settings)
    _tell_broken(domains)
    made = [(domain.name, service) for domain in domains for service in domain.services]
    async with (
        session.log(create=True) as log,
        open_read_models(settings, session.announce) as models,
        _conductors(session, log) as conductors,
        RunSource(log, models, find_wording()) as source,
        open_files(settings) as files,
        open_domain_tables(settings, log, session.announce) as tables,
        running(made, ServiceContext(settings.home, log, section=settings.section), tables) as hosted,
    ):
        acting = services_of(settings, log, source, conductors, policy, domains)
        services = replace(
            acting, hosted=hosted, tables=tables, about=about_of(session), files=files, metrics=open_metrics
        )
        config = uvicorn.Config(
            create_app(services),
            log_config=None,  # logging is configured already
            access_log=False,  # Correlation logs requests
            backlog=_BACKLOG,
            server_header=False,  # it would name the server software
            ws_max_size=policy.limits.body_bytes,
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = _Server(config, listener, told)
        closing: list[asyncio.Task[None]] = []
        # A task, because shutdown() calls it synchronously; kept, so that it can be awaited.
        server.ending.append(lambda: closing.append(asyncio.create_task(source.aclose())))
        if resume:
            await _resume(log, conductors)
        with calm_collector():
            await server.serve(sockets=[listener])
        await asyncio.gather(*closing)


def _tell_broken(domains: Sequence[ServedDomain]) -> None:
    """Warn the operator about domains that do not load; the others are served."""
    for domain in domains:
        for told in (*filter(None, (domain.refusal,)), *domain.faults):
            structlog.get_logger(__name__).warning("domain_broken", domain=domain.name, error=told)


@asynccontextmanager
async def _conductors(session: Session, log: EventLog) -> AsyncIterator[Conductors]:
    settings = session.loaded.settings
    flags = [word for key, value in session.flags.items() for word in (_FLAGS[key], value)]
    if session.config_file is not None:
        flags += ["--config", str(session.config_file)]
    command = [sys.executable, "-m", "mendel.cli.tethered", str(os.getpid()), *flags]  # ends with this server
    # Conductors load domains, which need not see the token of the server.
    environment = {name: value for name, value in os.environ.items() if name != settings.serve.token_env}
    async with Conductors(log, command, most=settings.kernel.max_runs, environment=environment) as conductors:
        yield conductors


def services_of(
    settings: Settings,
    log: EventLog,
    source: RunSource,
    conductors: Conductors,
    policy: Policy,
    domains: Sequence[ServedDomain],
) -> Services:
    """Assemble the services that the routes of this server use."""
    workshop = Workshop(
        scrubber=scrubber(settings),
        fabric=partial(_fabric, settings),
        commands_allowed=settings.sandbox.allow_commands,
    )
    launcher = Launcher(
        log,
        conductors,
        workshop,
        domains=domains,
        ceiling=ceilings(settings),
        models=Models(lambda: live_plan(settings), lambda: refuse_unready(settings, {})),
    )
    return Services(
        source=source,
        domains=domains,
        page=BUILT if (BUILT / "index.html").is_file() else None,  # a source checkout may lack the built page
        conducted_here=conductors.here,
        launcher=launcher,
        conductors=conductors,
        policy=policy,
    )


def _fabric(settings: Settings, *, commands: bool) -> AbstractAsyncContextManager[TaskFabric]:
    return open_run_fabric(settings, allow_commands=commands and settings.sandbox.allow_commands)


async def _resume(log: EventLog, conductors: Conductors) -> None:
    """Resume interrupted runs; a conductor gives up if another process already conducts its run."""
    for run_id in await interrupted(log):
        structlog.get_logger(__name__).info("run_resumed", run_id=run_id)
        conductors.conduct(run_id)

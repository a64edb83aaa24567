"""`mendel serve`: the observatory, an API and a page over the log."""

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

_GRACE_S: Final = 5
_BACKLOG: Final = 512
_SHORTEST_TOKEN: Final = 16
_FLAGS: Final = {"home": "--home", "log.backend": "--log"}


def serve(
    context: typer.Context,
    host: Annotated[
        str | None,
        typer.Option(help="Address to listen on (127.0.0.1); any but loopback needs a token: serve.token_env."),
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="Port to listen on (8765); 0 takes a free one.")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Go on with runs that were interrupted; on unless said.")
    ] = True,
    json: JsonFlag = False,
) -> None:
    """Serve the observatory: a page that shows runs, live or replayed, and the API under it.

    It conducts the runs that are launched on the page, and goes on with those that were interrupted. Ctrl-C ends it in
    good order: no event is lost, and the next `mendel serve` goes on.

    Others on the network reach it only with a token, whose variable mendel.toml names (serve.token_env).

        mendel serve --open

        mendel serve --port 0 --json

        LAB_TOKEN=… MENDEL_SERVE__TOKEN_ENV=LAB_TOKEN mendel serve --host 0.0.0.0
    """
    session = session_of(context)
    settings = session.loaded.settings
    if settings.log.backend == "memory":
        raise ConfigError("the log in memory ends with its process; serve a log of files or PostgreSQL: --log file")
    given = {"host": host, "port": port}
    own = settings.serve.model_copy(update={key: value for key, value in given.items() if value is not None})
    policy = policy_of(own)
    with _listening(own.host, own.port) as listener:
        session.announce("starting the observatory: the log, the domains and the page…")
        told = _Told(session, open_page=open_page, json=json)
        session.run(_until_terminated(_serve(session, policy, listener, told, resume=resume)))


def policy_of(own: ServeSettings) -> Policy:
    """Whom the settings let in.

    Raises:
        ConfigError: strangers could reach it, and no token keeps them from changing things.
    """
    token = secret_of(own.token_env) if own.token_env is not None else None
    if own.token_env is not None and token is None:
        raise ConfigError(f"serve.token_env names {own.token_env}, and that variable is not set; export a long token")
    if token is not None and len(token.get_secret_value()) < _SHORTEST_TOKEN:
        raise ConfigError(f"the token in {own.token_env} can be guessed; it needs {_SHORTEST_TOKEN} characters")
    if token is None and not is_loopback(name_of(f"[{own.host}]" if ":" in own.host else own.host)):
        raise ConfigError(
            f"{own.host} can be reached by others, so changes need a token: name the variable that holds it as"
            " serve.token_env in mendel.toml (or MENDEL_SERVE__TOKEN_ENV), or serve on 127.0.0.1"
        )
    if own.read_token and token is None:
        raise ConfigError("serve.read_token asks for a token, and serve.token_env names none")
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
    """A socket of that address.

    Raises:
        ConfigError: somebody else has it, or this machine has no such address.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError(f"{host} is no address of this machine: {error.strerror}") from error
    with listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as error:
            raise ConfigError(
                f"cannot listen on {host}, port {port}: {error.strerror}; take another with --port, or --port 0 for any"
                " that is free"
            ) from error
        yield listener


class _Told:
    """Says where the server is, once it is there."""

    def __init__(self, session: Session, *, open_page: bool, json: bool) -> None:
        self._session, self._open, self._json = session, open_page, json

    def __call__(self, host: str, port: int) -> None:
        """An address that means all of a machine's is none to go to: there its loopback is told."""
        everywhere = means_all(host)
        there = ("::1" if ":" in host else "127.0.0.1") if everywhere else host
        url = f"http://{f'[{there}]' if ':' in there else there}:{port}"
        if self._json:
            typer.echo(orjson.dumps({"url": url, "pid": os.getpid()}).decode())  # one line: it is waited for
            sys.stdout.flush()
        else:
            others = ", and at every other address of this machine" if everywhere else ""
            self._session.out.print(f"the observatory is at {url}{others}   (Ctrl-C ends it)", soft_wrap=True)
        if self._open:
            webbrowser.open(url)


class _Server(uvicorn.Server):
    """Tells when it listens, ends its streams before it waits for its connections, and leaves signals to us."""

    def __init__(self, config: uvicorn.Config, listener: socket.socket, told: _Told) -> None:
        super().__init__(config)
        self._listener, self._told = listener, told
        self.ending: list[Callable[[], object]] = []

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End at the first signal, at once at the second."""
        loop, signals = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
        for number in signals:
            loop.add_signal_handler(number, self._asked)
        try:
            yield
        finally:
            for number in signals:
                loop.add_signal_handler(number, _deaf)  # what was begun is ended in good order

    def _asked(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        self._told(*self._listener.getsockname()[:2])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nobody in any more, let those go who watch, and wait for the rest."""
        for server in self.servers:
            server.close()
        for each in self.ending:
            each()
        await super().shutdown(sockets)


def _deaf() -> None:
    """It ends already."""


# --- serving ---------------------------------------------------------------------------------------------------


async def _until_terminated(serving: Coroutine[None, None, None]) -> None:
    """Before the server listens, SIGTERM ends it as Ctrl-C does: services that were started are stopped."""
    task, terminated = asyncio.current_task(), asyncio.Event()

    def terminate() -> None:
        terminated.set()
        if task is not None:
            task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        await serving
    except asyncio.CancelledError:
        if terminated.is_set():
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
            log_config=None,
            access_log=False,
            backlog=_BACKLOG,
            server_header=False,
            ws_max_size=policy.limits.body_bytes,
            timeout_graceful_shutdown=_GRACE_S,
        )
        server = _Server(config, listener, told)
        closing: list[asyncio.Task[None]] = []
        server.ending.append(lambda: closing.append(asyncio.create_task(source.aclose())))
        if resume:
            await _resume(log, conductors)
        with calm_collector():
            await server.serve(sockets=[listener])
        await asyncio.gather(*closing)


def _tell_broken(domains: Sequence[ServedDomain]) -> None:
    """A domain that does not load keeps nobody else from being served, but whoever keeps the server wants to know."""
    for domain in domains:
        for told in (*filter(None, (domain.refusal,)), *domain.faults):
            structlog.get_logger(__name__).warning("domain_broken", domain=domain.name, error=told)


@asynccontextmanager
async def _conductors(session: Session, log: EventLog) -> AsyncIterator[Conductors]:
    settings = session.loaded.settings
    flags = [word for key, value in session.flags.items() for word in (_FLAGS[key], value)]
    if session.config_file is not None:
        flags += ["--config", str(session.config_file)]
    command = [sys.executable, "-m", "mendel.cli.tethered", str(os.getpid()), *flags]
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
    """What the routes of this server may use."""
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
        page=BUILT if (BUILT / "index.html").is_file() else None,
        conducted_here=conductors.here,
        launcher=launcher,
        conductors=conductors,
        policy=policy,
    )


def _fabric(settings: Settings, *, commands: bool) -> AbstractAsyncContextManager[TaskFabric]:
    return open_run_fabric(settings, allow_commands=commands and settings.sandbox.allow_commands)


async def _resume(log: EventLog, conductors: Conductors) -> None:
    """Go on with what was interrupted; who is conducted elsewhere is left alone by its own conductor."""
    for run_id in await interrupted(log):
        structlog.get_logger(__name__).info("run_resumed", run_id=run_id)
        conductors.conduct(run_id)

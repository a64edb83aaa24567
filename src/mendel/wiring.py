"""Where ports meet adapters: the only importer of adapters."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager, nullcontext
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import structlog
from pydantic import SecretStr

from mendel.adapters.host.probes import run_probes
from mendel.adapters.memory.clock import SystemClock
from mendel.adapters.memory.read_models import MemoryReadModels
from mendel.adapters.memory.task_fabric import MemoryTaskFabric
from mendel.adapters.models.live import LiveGateway
from mendel.adapters.models.prices import dollars, price_of
from mendel.adapters.models.providers import address_of, key_variable_of
from mendel.adapters.otel.collector import secrets_of
from mendel.adapters.otel.opening import open_traces
from mendel.adapters.postgres import schema
from mendel.adapters.postgres.database import OWNER_ROLE, PROJECTOR_ROLE, RUNTIME_ROLE
from mendel.adapters.postgres.embedded import EmbeddedServer, ServerStatus
from mendel.adapters.postgres.read_models import PostgresReadModels
from mendel.adapters.sandbox.native import REMEDIES
from mendel.contracts.caps import RunCaps
from mendel.contracts.diagnostics import Probe
from mendel.contracts.errors import ConfigError, PluginError
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import Price
from mendel.contracts.scrub import Scrubber, passwords_in
from mendel.ports.clock import Clock
from mendel.ports.event_log import EventLog
from mendel.ports.handlers import Ports
from mendel.ports.log_context import LogContext, OpenLog
from mendel.ports.metrics import MeteredCalls, Metric, Metrics, Vocabulary
from mendel.ports.model_gateway import ModelGateway
from mendel.ports.model_wire import GROUP as MODEL_WIRES
from mendel.ports.model_wire import ModelWire, OpenWire, WireContext, WireFailed
from mendel.ports.observing import NOBODY, CallObserver, Several
from mendel.ports.read_models import ReadModels
from mendel.ports.registry import resolve
from mendel.ports.research import ResearchTools
from mendel.ports.retriever import OpenRetriever, Retriever, RetrieverContext
from mendel.ports.sandbox import Sandbox
from mendel.ports.sandbox_context import OpenSandbox, SandboxContext
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import PROVIDER_VARIABLES, Settings
from mendel.settings.lookups import OFF, PROVIDER, ResearchSettings
from mendel.settings.model_plans import configured_plan, plan_of
from mendel.settings.model_providers import Prices, Provider, provider_of
from mendel.settings.parts import lookups_lacking

if TYPE_CHECKING:  # these bring numpy, or an HTTP client
    from mendel.adapters.research.factory import ResearchConfig
    from mendel.api.opened_files import OpenedFiles, Shelf
    from mendel.ports.embedder import Embedder, OpenEmbedder
    from mendel.ports.embedder_degradation import DegradingEmbedder

Announce = Callable[[str], None]

SANDBOX_REMEDIES = REMEDIES
"""What to do about a layer of the native sandbox that is missing."""

ROLES = {"runtime": RUNTIME_ROLE, "owner": OWNER_ROLE, "admin": "postgres"}
"""Who may be asked for a connection to the embedded server."""


def scrubber(settings: Settings) -> Scrubber:
    """The one scrubber, knowing the secrets of this process's environment and of its settings."""
    passwords = [password for address in settings.addresses() for password in passwords_in(address)]
    known = (*passwords, *secrets_of(os.environ))
    return Scrubber.from_environment(os.environ, settings.secret_variables(), known)


def secret_of(variable: str) -> SecretStr | None:
    """What an environment variable holds; an empty one counts as not set."""
    value = os.environ.get(variable, "").strip()
    return SecretStr(value) if value else None


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
async def open_read_models(settings: Settings, announce: Announce) -> AsyncIterator[ReadModels]:
    """What is made of the log to be looked at: beside it in PostgreSQL, and in memory where the log is elsewhere."""
    if settings.log.backend != "postgres":
        yield MemoryReadModels()
        return
    address = external_database(settings) or embedded_server(settings, announce).conninfo(user=PROJECTOR_ROLE)
    async with PostgresReadModels.beside(address) as models:
        yield models


@asynccontextmanager
async def open_sandbox(
    settings: Settings, *, allow_weak: bool = False, workers: int = 0, allow_commands: bool = False
) -> AsyncIterator[Sandbox]:
    """Where untrusted code runs (rule 3), with ``workers`` in place of the settings'; started when it is first used.

    With ``allow_commands`` programs may be granted commands, whatever the settings say.

    Raises:
        UnknownPlugin: no sandbox of that name is installed.
    """
    opener = cast("OpenSandbox", resolve("mendel.sandboxes", settings.sandbox.backend))
    own = settings.sandbox
    context = SandboxContext(
        workers or own.workers,
        allow_weak,
        own.allow_network,
        own.allow_gpu,
        own.bubblewrap,
        allow_commands or own.allow_commands,
    )
    async with opener(context) as sandbox:
        yield sandbox


@asynccontextmanager
async def open_fabric(
    settings: Settings,
    sandbox: Sandbox | None = None,
    models: ModelGateway | None = None,
    *,
    embedder: DegradingEmbedder | None = None,
    retriever: Retriever | None = None,
    tools: ResearchTools | None = None,
) -> AsyncIterator[TaskFabric]:
    """Where handlers run, with as many workers as the settings say; all the ports are theirs to use."""
    ports = Ports(sandbox, models, embedder, retriever, tools)
    fabric = MemoryTaskFabric(workers=settings.fabric.workers, ports=ports)
    try:
        yield fabric
    finally:
        await fabric.close()


@asynccontextmanager
async def open_asking_fabric(settings: Settings, sandbox: Sandbox, plan: ModelPlan | None) -> AsyncIterator[TaskFabric]:
    """Where handlers of runs work that may ask the models of ``plan``, and everybody else whom the settings name.

    Without a plan nobody is asked.
    """
    if plan is None:
        async with open_fabric(settings, sandbox) as fabric:
            yield fabric
        return
    async with (
        open_observer(settings, plan) as watching,
        open_models(settings, plan=plan, observer=watching) as models,
        open_embedder(settings, plan=plan, observer=watching) as embedder,
        open_retriever(settings) as retriever,
        open_research(settings) as tools,
        open_fabric(settings, sandbox, models, embedder=embedder, retriever=retriever, tools=tools) as fabric,
    ):
        yield fabric


@asynccontextmanager
async def open_models(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver | None = None
) -> AsyncIterator[LiveGateway]:
    """The models that the settings name, by role; ``plan`` in place of theirs. A provider is opened when it is asked.

    ``observer`` watches in place of those that the settings name: whoever opens an embedder, too, has one for both.

    Raises:
        ConfigError: a provider that nobody knows, a model that nobody named.
        NoPrice: nobody knows what a model costs.
    """
    own = plan if plan is not None else model_plan(settings)
    async with (
        open_observer(settings, own) if observer is None else nullcontext(observer) as watching,
        LiveGateway(own, partial(_wire, settings), scrubber=scrubber(settings), observer=watching) as models,
    ):
        yield models


@asynccontextmanager
async def open_observer(settings: Settings, plan: ModelPlan) -> AsyncIterator[CallObserver]:
    """Who watches the calls of that plan, as the settings say; metrics are written at the end, once."""
    metrics = _metrics(plan) if settings.telemetry.metrics_file is not None else None
    watching = Several(*_watching(settings, metrics))
    try:
        yield watching
    finally:
        await watching.aclose()
        if metrics is not None and settings.telemetry.metrics_file is not None:
            _write_metrics(metrics, settings.telemetry.metrics_file)


def _watching(settings: Settings, metrics: Metrics | None) -> Iterator[CallObserver]:
    """Who watches model calls; what goes wrong in watching never reaches them."""
    if metrics is not None:
        yield MeteredCalls(metrics)
    if settings.telemetry.traces:
        yield open_traces(os.environ, scrubber(settings), content=settings.telemetry.trace_content)


def _metrics(plan: ModelPlan) -> Metrics:
    # Imported when wanted: it takes as long as everything else that a command needs to say its help.
    from mendel.adapters.prometheus.metrics import PrometheusMetrics

    sources = [
        source for role in plan.roles.values() for source in (*role.sources, role.fallback) if source is not None
    ]
    allowed = [source for role in plan.overridable.values() for source in role]
    names = {source.route.provider for source in (*sources, *allowed)}
    return PrometheusMetrics({"provider": names, "backend": names})


def _write_metrics(metrics: Metrics, path: Path) -> None:
    try:
        path.write_text(metrics.text())
    except OSError as error:
        structlog.get_logger(__name__).warning("metrics_not_written", path=str(path), error=type(error).__name__)


def model_plan(settings: Settings) -> ModelPlan:
    """Who plays which role, at what price; raises as :func:`open_models` does."""
    return plan_of(settings, model_prices(settings))


def live_plan(settings: Settings) -> ModelPlan:
    """As :func:`model_plan`, for a run that asks models whatever the profile of the settings is."""
    return configured_plan(settings, model_prices(settings))


def model_prices(settings: Settings) -> Prices:
    """What models cost: by ``llm.prices``, else nothing where nobody sends a bill, else by the public list."""
    own = {route: dollars(each.input, each.output) for route, each in settings.llm.prices.items()}

    def price(provider: Provider, model: str, prompt_tokens: int) -> Price:
        return price_of(
            provider.name, model, own, kind=provider.kind, base_url=provider.base_url, prompt_tokens=prompt_tokens
        )

    return price


class ProviderFacts(NamedTuple):
    """Where a provider is, and whether its key is there; never the key."""

    name: str
    kind: str
    address: str | None
    key_variable: str | None
    key_present: bool


def provider_facts(settings: Settings, name: str) -> ProviderFacts:
    """What is known of a provider.

    Raises:
        ConfigError: nobody knows it.
    """
    provider = provider_of(settings.llm, name)
    variable = key_variable_of(provider.kind, provider.key_variable, provider.base_url)
    address = address_of(provider.kind, provider.base_url, os.environ)
    return ProviderFacts(name, provider.kind, address, variable, bool(variable and os.environ.get(variable)))


def _wire(settings: Settings, name: str) -> ModelWire:
    """The wire to a provider; what is missing is told by its name, and a key by that of its variable."""
    try:
        facts = provider_facts(settings, name)
        opened = cast("OpenWire", resolve(MODEL_WIRES, facts.kind))
    except (ConfigError, PluginError) as error:
        raise WireFailed("not_configured", str(error), unsent=True) from error
    if facts.key_variable is not None and not facts.key_present:
        told = f"{name} needs a key: set the environment variable {facts.key_variable}"
        raise WireFailed("not_configured", told, unsent=True)
    key = os.environ[facts.key_variable] if facts.key_variable is not None else None
    return opened(
        WireContext(
            provider=name, kind=facts.kind, base_url=facts.address, api_key=key, key_variable=facts.key_variable
        )
    )


# --- what is looked up ---------------------------------------------------------------------------------------
#
# Adapters are imported when they are wanted: they bring numpy and an HTTP client, which most commands do without.


@asynccontextmanager
async def open_embedder(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver = NOBODY
) -> AsyncIterator[DegradingEmbedder]:
    """Who makes vectors of texts, and who stands in; models, keys and connections are opened with the first text.

    ``plan`` is in place of the settings' own. Where nobody may be asked, by the profile or by that plan's lack of the
    role, the fallback stands alone.

    Raises:
        ConfigError: an embedder that nobody knows, a route or a dimension that is missing, weights that are not there.
        NoPrice: nobody knows what a model costs.
    """
    from mendel.ports.embedder_degradation import DegradingEmbedder

    _refuse_lacking(settings, "embeddings.")
    own = settings.embeddings
    fallback = _local_embedder(settings, own.fallback)
    if own.backend == PROVIDER:
        primary = route_embedder(settings, plan=plan, observer=observer) or fallback
    else:
        primary = _local_embedder(settings, own.backend)
    embedder = DegradingEmbedder(primary, fallback, patience_s=own.patience_s)
    try:
        yield embedder
    finally:
        await embedder.aclose()


def route_embedder(
    settings: Settings, *, plan: ModelPlan | None = None, observer: CallObserver = NOBODY
) -> Embedder | None:
    """The embedder behind the route of the role ``embedding``, alone; none where the plan does not have the role.

    Raises:
        ConfigError: nobody knows how many numbers its vectors have.
        NoPrice: nobody knows what a model costs.
    """
    from mendel.adapters.embeddings.later import WireLater
    from mendel.adapters.embeddings.opening import embedder_of_role

    role = (plan if plan is not None else model_plan(settings)).roles.get("embedding")
    if role is None:
        return None
    route = settings.llm.routes.get("embedding")
    return embedder_of_role(
        role,
        WireLater(partial(_wire, settings, role.sources[0].route.provider)),
        dimension=route.dimension if route is not None else None,
        scrubber=scrubber(settings),
        observer=observer,
    )


def _local_embedder(settings: Settings, name: str) -> Embedder:
    """One that asks no provider; a plug-in is loaded with the first text."""
    if name == "sentences":
        from mendel.adapters.embeddings.sentences import sentences_later

        return sentences_later(settings.embeddings.model)
    from mendel.adapters.embeddings.later import OpenedLater

    return OpenedLater(name, partial(_plugged_embedder, name))


def _plugged_embedder(name: str) -> Embedder:
    return cast("OpenEmbedder", resolve("mendel.embedders", name))()


@asynccontextmanager
async def open_retriever(settings: Settings) -> AsyncIterator[Retriever | None]:
    """Where background knowledge comes from, if anywhere; a key is read when a query is asked.

    Raises:
        ConfigError: a retriever that nobody knows, an endpoint that is missing, a corpus that cannot be read.
    """
    own = settings.retrieval
    if own.backend == OFF:
        yield None
        return
    from mendel.adapters.research.at_most import AtMost

    _refuse_lacking(settings, "retrieval.")
    opener = cast("OpenRetriever", resolve("mendel.retrievers", own.backend))
    context = RetrieverContext(own.backend, own.endpoint, own.api_key_env, own.corpus, own.timeout_s, os.environ)
    async with AtMost(opener(context), own.limit) as retriever:
        yield retriever


@asynccontextmanager
async def open_research(settings: Settings) -> AsyncIterator[ResearchTools | None]:
    """The tools with which a model may look something up, if there are any; a key is read when one is called.

    Raises:
        ConfigError: a tool whose endpoint is missing.
    """
    own = settings.research
    if not own.tools:
        yield None
        return
    from mendel.adapters.research.factory import open_tools

    _refuse_lacking(settings, "research.")
    async with open_tools(_research_config(own), os.environ) as tools:
        yield tools


def _research_config(own: ResearchSettings) -> ResearchConfig:
    from mendel.adapters.research.addresses import Reach
    from mendel.adapters.research.factory import ResearchConfig, SearchEndpoint
    from mendel.adapters.research.fetching import FetchLimits

    page = own.fetch_url
    return ResearchConfig(
        searches={
            name: SearchEndpoint(each.endpoint, each.api_key_env, each.timeout_s)
            for name, each in own.searches().items()
            if each.endpoint is not None
        },
        fetch="fetch_url" in own.tools,
        reach=Reach(frozenset(page.ports), frozenset(map(ip_address, page.trusted))),
        fetch_limits=FetchLimits(page.timeout_s, page.connect_s, page.body_bytes, page.redirects),
    )


def _refuse_lacking(settings: Settings, prefix: str) -> None:
    for lack in lookups_lacking(settings):
        if lack.key.startswith(prefix):
            raise ConfigError(str(lack))


# --- the rest -----------------------------------------------------------------------------------------


def system_clock() -> Clock:
    """The clock of this machine."""
    return SystemClock()


@contextmanager
def calm_collector() -> Iterator[None]:
    """Let the garbage collector look less often while runs are conducted.

    A run's state grows and holds next to no cycles: by default every full collection walks all of it in vain, which
    costs a fifth of the time at 5,000 candidates.
    """
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        if not frozen:  # what somebody else froze stays so
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
            structlog.contextvars.merge_contextvars,
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


# --- the observatory ----------------------------------------------------------------------------------


def memory_shelf() -> Shelf:
    """A log and rows that are gone with the process: for a run that somebody opens from a file."""
    from mendel.adapters.memory.event_log import MemoryEventLog
    from mendel.api.opened_files import Shelf

    return Shelf(MemoryEventLog(), MemoryReadModels())


def open_files(settings: Settings) -> OpenedFiles:
    """The files that a server has open; what holds a secret of this process is refused."""
    from mendel.api.opened_files import OpenedFiles

    return OpenedFiles(memory_shelf, scrubber(settings))


def open_metrics(configured: Vocabulary, catalogue: Iterable[Metric]) -> Metrics:
    """What a server counts about itself."""
    from mendel.adapters.prometheus.metrics import PrometheusMetrics

    return PrometheusMetrics(configured, catalogue)

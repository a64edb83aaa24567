"""Every section of the settings, and all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, Field, PrivateAttr

from mendel.settings.evolution import (
    EvolveSettings,
    ResultBackendSettings,
    TaskQueueSettings,
    WorkerSettings,
)
from mendel.settings.lookups import EmbeddingsSettings, ResearchSettings, RetrievalSettings
from mendel.settings.masking import secret_variables_in, secrets_in
from mendel.settings.models import LlmSettings
from mendel.settings.values import Address, CapNumber, Seconds, Section, SomePath, VariableName, Whole

Own = TypeVar("Own", bound=BaseModel)


class LogSettings(Section):
    """Where events are kept."""

    backend: str = Field(
        default="postgres",
        min_length=1,
        description='The event log: "postgres", "file", or a plug-in of the group mendel.event_logs.',
    )
    secret_envs: tuple[VariableName, ...] = Field(
        default=(),
        description="Names of further environment variables whose values are scrubbed from the log.",
    )


class DatabaseSettings(Section):
    """The PostgreSQL to use."""

    url: Address | None = Field(
        default=None,
        description="URL of a PostgreSQL; none starts the embedded one.",
    )
    owner_url: Address | None = Field(
        default=None,
        description="URL with the rights to migrate the schema; none uses database.url.",
    )
    patience_s: Seconds | None = Field(
        default=None,
        description="Seconds a writer waits for a database that is away; none waits for ever.",
    )


class RedisSettings(Section):
    """The Redis to use."""

    url: Address | None = Field(default=None, description="URL of a Redis; none uses no Redis.")


class KernelSettings(Section):
    """How runs are conducted."""

    max_runs: Whole = Field(default=4, ge=1, le=1_000, description="Runs that one process conducts at once.")
    heartbeat_s: Seconds = Field(
        default=5.0, gt=0, description="Seconds without an event after which a run records that it is alive."
    )
    domain_patience_s: Seconds = Field(
        default=30.0, gt=0, description="Seconds after which a method of a domain counts as never returning."
    )


class FabricSettings(Section):
    """Where handlers run."""

    workers: Whole = Field(
        default=2, ge=0, le=1_000, description="Worker processes for handlers; 0 runs them in threads."
    )


class SandboxSettings(Section):
    """Where untrusted code runs."""

    backend: str = Field(
        default="native", min_length=1, description='The sandbox: "native", or a plug-in of the group mendel.sandboxes.'
    )
    workers: Whole = Field(default=0, ge=0, le=1_000, description="Programs that run at once; 0 is one for each core.")
    bubblewrap: bool = Field(
        default=True, description="Enter the walls by bubblewrap where it is installed; false uses Mendel's launcher."
    )
    allow_network: bool = Field(default=False, description="Whether a program may be granted the network.")
    allow_gpu: bool = Field(default=False, description="Whether a program may be granted the GPU.")
    allow_commands: bool = Field(
        default=False, description="Whether a program may be granted commands that are installed on this machine."
    )


class CeilingSettings(Section):
    """The most that a run may ask for (rule 1); one that asks for more is refused."""

    max_population: CapNumber = Field(default=10_000, description="Ceiling of a run's population.")
    max_generations: CapNumber = Field(default=100_000, description="Ceiling of a run's generations.")
    max_candidates: CapNumber = Field(default=10_000_000, description="Ceiling of a run's candidates.")
    energy_budget: CapNumber = Field(default=1_000_000_000, description="Ceiling of a run's energy.")
    max_spawn_depth: CapNumber = Field(default=100_000, description="Ceiling of a lineage's depth.")
    max_tool_calls: CapNumber = Field(default=1_000_000, description="Ceiling of a run's tool calls.")
    max_tokens: CapNumber = Field(default=1_000_000_000, description="Ceiling of a run's tokens.")
    max_cost_microusd: CapNumber = Field(
        default=1_000_000_000, description="Ceiling of a run's cost, in millionths of a US dollar."
    )
    wall_clock_ms: CapNumber = Field(default=7 * 24 * 3_600_000, description="Ceiling of a run's time in milliseconds.")
    max_evaluations: CapNumber = Field(
        default=1_000_000_000_000, description="Ceiling of a run's evaluations: programs run against cases."
    )


class ServeSettings(Section):
    """How `mendel serve` listens, and whom it lets in."""

    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="Address to listen on; any but loopback needs serve.token_env.",
    )
    port: Whole = Field(default=8_765, ge=0, le=65_535, description="Port to listen on; 0 takes a free one.")
    token_env: VariableName | None = Field(
        default=None,
        description="Name of the environment variable that holds the token without which nothing is changed.",
    )
    read_token: bool = Field(default=False, description="Whether reading needs the token, too.")
    hosts: tuple[str, ...] = Field(
        default=(), description="Further names by which the server may be addressed, beside its own and loopback's."
    )
    origins: tuple[str, ...] = Field(
        default=(), description="Origins of other pages that may use the API, such as https://lab.example; none can."
    )
    body_kb: Whole = Field(default=1_024, ge=1, le=1 << 20, description="Most KiB of a request's body.")
    file_mb: Whole = Field(default=256, ge=1, le=1 << 20, description="Most MiB of an exported run that is opened.")
    body_timeout_s: Seconds = Field(
        default=20.0, gt=0, description="Seconds without a byte after which a request's body is given up."
    )
    writes_per_minute: Whole = Field(
        default=30, ge=0, le=1_000_000, description="Changes that a client may ask for in a minute; 0 is any number."
    )
    reads_per_second: Whole = Field(
        default=50, ge=0, le=1_000_000, description="Reads that a client may ask for in a second; 0 is any number."
    )
    streams: Whole = Field(default=200, ge=1, le=100_000, description="Streams that a client may hold open at once.")


class TelemetrySettings(Section):
    """What Mendel tells about itself."""

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="The least severity that is written to standard error."
    )
    log_json: bool = Field(default=False, description="Write diagnostic lines as JSON instead of text.")
    traces: bool = Field(
        default=False,
        description="Send a span of every model call to the collector that the environment names"
        " (OTEL_EXPORTER_OTLP_ENDPOINT, or LANGFUSE_HOST and its keys).",
    )
    trace_content: bool = Field(default=False, description="Send prompts and answers with the spans, scrubbed.")
    metrics_file: SomePath | None = Field(
        default=None,
        description="Where metrics of model calls are written when a command ends, in Prometheus's text format.",
    )


class Settings(Section):
    """All settings of a Mendel process; immutable."""

    home: SomePath = Field(
        default=Path(".mendel"),
        description="Folder for Mendel's own files; a relative one lies in the working directory.",
    )
    log: LogSettings = Field(default_factory=LogSettings, description="Where events are kept.")
    database: DatabaseSettings = Field(default_factory=DatabaseSettings, description="The PostgreSQL to use.")
    redis: RedisSettings = Field(default_factory=RedisSettings, description="The Redis to use.")
    kernel: KernelSettings = Field(default_factory=KernelSettings, description="How runs are conducted.")
    fabric: FabricSettings = Field(default_factory=FabricSettings, description="Where handlers run.")
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings, description="Where untrusted code runs.")
    ceilings: CeilingSettings = Field(default_factory=CeilingSettings, description="The most that a run may ask for.")
    serve: ServeSettings = Field(
        default_factory=ServeSettings, description="How `mendel serve` listens, and whom it lets in."
    )
    telemetry: TelemetrySettings = Field(
        default_factory=TelemetrySettings, description="What Mendel tells about itself."
    )
    evolve: EvolveSettings = Field(default_factory=EvolveSettings, description="How `mendel evolve` searches.")
    task_queue: TaskQueueSettings = Field(default_factory=TaskQueueSettings, description="How tasks reach workers.")
    result_backend: ResultBackendSettings = Field(
        default_factory=ResultBackendSettings, description="Where results are kept beside the log."
    )
    worker: WorkerSettings = Field(default_factory=WorkerSettings, description="Workers outside this process.")
    llm: LlmSettings = Field(default_factory=LlmSettings, description="Models that join the search.")
    embeddings: EmbeddingsSettings = Field(
        default_factory=EmbeddingsSettings, description="How much alike two texts are."
    )
    retrieval: RetrievalSettings = Field(
        default_factory=RetrievalSettings, description="Where background knowledge comes from."
    )
    research: ResearchSettings = Field(
        default_factory=ResearchSettings, description="What a model may look up while it writes."
    )

    _sections: Mapping[type[BaseModel], BaseModel] = PrivateAttr(default_factory=dict)

    def section(self, model: type[Own]) -> Own:
        """What is set in a table of a domain; its defaults where nothing is."""
        found = self._sections.get(model)
        return found if isinstance(found, model) else model()

    def with_sections(self, sections: Iterable[Section]) -> Settings:
        """These settings with what is set in tables of domains."""
        made = self.model_copy()
        made._sections = {type(each): each for each in sections if each != type(each)()}
        return made

    def addresses(self) -> tuple[str, ...]:
        """Every address that is set; any of them may hold a password."""
        given = (self.database.url, self.database.owner_url, self.redis.url, self.task_queue.url)
        own = (each.get_secret_value() for each in given if each is not None)
        return (*own, *secrets_in(dict(self._sections)))

    def secrets(self) -> tuple[str, ...]:
        """Secrets of domains that are no address."""
        return tuple(each for each in secrets_in(dict(self._sections)) if "://" not in each)

    def secret_variables(self) -> tuple[str, ...]:
        """Names of the environment variables whose values the settings call secret."""
        retrieval = () if self.retrieval.api_key_env is None else (self.retrieval.api_key_env,)
        serve = () if self.serve.token_env is None else (self.serve.token_env,)
        own = (*self.log.secret_envs, *self.llm.key_variables(), *retrieval, *self.research.key_variables(), *serve)
        return (*own, *secret_variables_in(dict(self._sections)))

"""The sections of the settings, and ``Settings`` with all of them."""

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
    """Where events are stored."""

    backend: str = Field(
        default="postgres",
        min_length=1,
        description='Event log: "postgres", "file", or a plug-in of the group mendel.event_logs.',
    )
    secret_envs: tuple[VariableName, ...] = Field(
        default=(),
        description="Additional environment variables with secret values, which are scrubbed from the log.",
    )


class DatabaseSettings(Section):
    """The PostgreSQL server."""

    url: Address | None = Field(
        default=None,
        description="URL of a PostgreSQL server; if unset, Mendel starts an embedded one.",
    )
    owner_url: Address | None = Field(
        default=None,
        description="URL of a user that may migrate the schema; if unset, database.url.",
    )
    patience_s: Seconds | None = Field(
        default=None,
        description="Seconds that a writer waits for an unavailable database; if unset, without limit.",
    )


class RedisSettings(Section):
    """The Redis server."""

    url: Address | None = Field(default=None, description="URL of a Redis server; if unset, no Redis is used.")


class KernelSettings(Section):
    """How runs are conducted."""

    max_runs: Whole = Field(default=4, ge=1, le=1_000, description="Maximum number of concurrent runs per process.")
    heartbeat_s: Seconds = Field(
        default=5.0, gt=0, description="Seconds without an event after which a run records a heartbeat."
    )
    domain_patience_s: Seconds = Field(
        default=30.0, gt=0, description="Timeout in seconds for a call to a domain's method."
    )


class FabricSettings(Section):
    """Where task handlers run."""

    workers: Whole = Field(
        default=2, ge=0, le=1_000, description="Number of worker processes for handlers; 0 runs them in threads."
    )


class SandboxSettings(Section):
    """Where untrusted code runs."""

    backend: str = Field(
        default="native", min_length=1, description='Sandbox: "native", or a plug-in of the group mendel.sandboxes.'
    )
    workers: Whole = Field(default=0, ge=0, le=1_000, description="Number of concurrent programs; 0: one per core.")
    bubblewrap: bool = Field(
        default=True, description="Start sandboxes with bubblewrap if it is installed; false: with Mendel's launcher."
    )
    allow_network: bool = Field(default=False, description="Whether programs may be granted network access.")
    allow_gpu: bool = Field(default=False, description="Whether programs may be granted the GPU.")
    allow_commands: bool = Field(
        default=False, description="Whether programs may be granted the commands installed on this machine."
    )


class CeilingSettings(Section):
    """Upper limits on the caps of a run (rule 1); a run with a higher cap is refused."""

    max_population: CapNumber = Field(default=10_000, description="Maximum population of a run.")
    max_generations: CapNumber = Field(default=100_000, description="Maximum number of generations of a run.")
    max_candidates: CapNumber = Field(default=10_000_000, description="Maximum number of candidates of a run.")
    energy_budget: CapNumber = Field(default=1_000_000_000, description="Maximum energy budget of a run.")
    max_spawn_depth: CapNumber = Field(default=100_000, description="Maximum depth of a lineage.")
    max_tool_calls: CapNumber = Field(default=1_000_000, description="Maximum number of tool calls of a run.")
    max_tokens: CapNumber = Field(default=1_000_000_000, description="Maximum number of tokens of a run.")
    max_cost_microusd: CapNumber = Field(
        default=1_000_000_000, description="Maximum cost of a run, in millionths of a US dollar."
    )
    wall_clock_ms: CapNumber = Field(default=7 * 24 * 3_600_000, description="Maximum time of a run in milliseconds.")
    max_evaluations: CapNumber = Field(
        default=1_000_000_000_000, description="Maximum number of evaluations of a run, one per program and case."
    )


class ServeSettings(Section):
    """Address, access and limits of `mendel serve`."""

    host: str = Field(
        default="127.0.0.1",
        min_length=1,
        description="Address to listen on; an address other than loopback requires serve.token_env.",
    )
    port: Whole = Field(default=8_765, ge=0, le=65_535, description="Port to listen on; 0: any free port.")
    token_env: VariableName | None = Field(
        default=None,
        description="Environment variable with the access token that requests for changes need.",
    )
    read_token: bool = Field(default=False, description="Whether read requests need the token, too.")
    hosts: tuple[str, ...] = Field(
        default=(), description="Additional host names under which the server accepts requests."
    )
    origins: tuple[str, ...] = Field(
        default=(), description="Origins of other web pages that may use the API, such as https://lab.example."
    )
    body_kb: Whole = Field(default=1_024, ge=1, le=1 << 20, description="Maximum size of a request body in KiB.")
    file_mb: Whole = Field(default=256, ge=1, le=1 << 20, description="Maximum size of an opened run file in MiB.")
    body_timeout_s: Seconds = Field(
        default=20.0, gt=0, description="Idle timeout in seconds while a request body is received."
    )
    writes_per_minute: Whole = Field(
        default=30, ge=0, le=1_000_000, description="Maximum number of changes per client and minute; 0: unlimited."
    )
    reads_per_second: Whole = Field(
        default=50, ge=0, le=1_000_000, description="Maximum number of reads per client and second; 0: unlimited."
    )
    streams: Whole = Field(default=200, ge=1, le=100_000, description="Maximum number of open streams per client.")


class TelemetrySettings(Section):
    """Diagnostics, traces and metrics."""

    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="Lowest severity that is written to standard error."
    )
    log_json: bool = Field(default=False, description="Write diagnostic lines as JSON instead of text.")
    traces: bool = Field(
        default=False,
        description="Send a span for every model call to the collector in the environment"
        " (OTEL_EXPORTER_OTLP_ENDPOINT, or LANGFUSE_HOST and its keys).",
    )
    trace_content: bool = Field(default=False, description="Include prompts and answers in the spans, without secrets.")
    metrics_file: SomePath | None = Field(
        default=None,
        description="File for the metrics of model calls, written in Prometheus's text format when a command ends.",
    )


class Settings(Section):
    """All settings of a Mendel process; immutable."""

    home: SomePath = Field(
        default=Path(".mendel"),
        description="Folder for Mendel's files; relative to the working directory.",
    )
    log: LogSettings = Field(default_factory=LogSettings, description="Where events are stored.")
    database: DatabaseSettings = Field(default_factory=DatabaseSettings, description="The PostgreSQL server.")
    redis: RedisSettings = Field(default_factory=RedisSettings, description="The Redis server.")
    kernel: KernelSettings = Field(default_factory=KernelSettings, description="How runs are conducted.")
    fabric: FabricSettings = Field(default_factory=FabricSettings, description="Where task handlers run.")
    sandbox: SandboxSettings = Field(default_factory=SandboxSettings, description="Where untrusted code runs.")
    ceilings: CeilingSettings = Field(default_factory=CeilingSettings, description="Upper limits on the caps of a run.")
    serve: ServeSettings = Field(
        default_factory=ServeSettings, description="Address, access and limits of `mendel serve`."
    )
    telemetry: TelemetrySettings = Field(
        default_factory=TelemetrySettings, description="Diagnostics, traces and metrics."
    )
    evolve: EvolveSettings = Field(default_factory=EvolveSettings, description="How `mendel evolve` searches.")
    task_queue: TaskQueueSettings = Field(default_factory=TaskQueueSettings, description="How tasks reach workers.")
    result_backend: ResultBackendSettings = Field(
        default_factory=ResultBackendSettings, description="Where results are stored in addition to the log."
    )
    worker: WorkerSettings = Field(default_factory=WorkerSettings, description="Workers outside this process.")
    llm: LlmSettings = Field(default_factory=LlmSettings, description="Language models for the search.")
    embeddings: EmbeddingsSettings = Field(
        default_factory=EmbeddingsSettings, description="Embeddings, which measure the similarity of texts."
    )
    retrieval: RetrievalSettings = Field(
        default_factory=RetrievalSettings, description="Source of background knowledge."
    )
    research: ResearchSettings = Field(default_factory=ResearchSettings, description="Research tools for models.")

    # Private, because the fields of a model are fixed and the installed domains are not.
    _sections: Mapping[type[BaseModel], BaseModel] = PrivateAttr(default_factory=dict)

    def section(self, model: type[Own]) -> Own:
        """Return the settings in a domain's table, or its defaults if the table is not set."""
        found = self._sections.get(model)
        return found if isinstance(found, model) else model()

    def with_sections(self, sections: Iterable[Section]) -> Settings:
        """Return these settings together with tables of domains."""
        made = self.model_copy()
        # Without those at their defaults, so that equal settings compare equal.
        made._sections = {type(each): each for each in sections if each != type(each)()}
        return made

    def addresses(self) -> tuple[str, ...]:
        """Return all addresses in the settings; any of them may contain a password."""
        given = (self.database.url, self.database.owner_url, self.redis.url, self.task_queue.url)
        own = (each.get_secret_value() for each in given if each is not None)
        return (*own, *secrets_in(dict(self._sections)))

    def secrets(self) -> tuple[str, ...]:
        """Return all secrets of domains that are not addresses."""
        return tuple(each for each in secrets_in(dict(self._sections)) if "://" not in each)  # see addresses()

    def secret_variables(self) -> tuple[str, ...]:
        """Return the names of the environment variables that the settings mark as secret."""
        retrieval = () if self.retrieval.api_key_env is None else (self.retrieval.api_key_env,)
        serve = () if self.serve.token_env is None else (self.serve.token_env,)
        own = (*self.log.secret_envs, *self.llm.key_variables(), *retrieval, *self.research.key_variables(), *serve)
        return (*own, *secret_variables_in(dict(self._sections)))

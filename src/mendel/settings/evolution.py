"""Settings sections of the specification "seed 000" that all domains share, with its names and keys."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, StringConstraints, create_model
from pydantic.fields import FieldInfo

from mendel.bench.bounds import Bounds
from mendel.settings.values import Address, PluginName, Section, SomePath, Whole, number

Capabilities = Annotated[str, StringConstraints(pattern=r"^\s*[\w.-]+\s*(,\s*[\w.-]+\s*)*$", max_length=1_000)]


class TaskQueueSettings(Section):
    """How tasks reach workers."""

    provider: Literal["stub", "redis"] = Field(
        default="stub", description='Task queue: "stub" within this process, or "redis" for Redis Streams.'
    )
    url: Address | None = Field(default=None, description="URL of the queue server; not used by the stub.")
    idle_ms: Whole = Field(
        default=60_000, ge=1, description="Milliseconds of silence after which a worker's tasks are redelivered."
    )
    max_retry: Whole = Field(default=3, ge=0, le=1_000, description="Maximum number of redeliveries of a task.")


class ResultBackendSettings(Section):
    """Where results are stored in addition to the log."""

    provider: Literal["fs"] | None = Field(
        default=None, description='Result store: "fs" is a folder; if unset, results are in the event log only.'
    )
    root: SomePath | None = Field(default=None, description="Folder for the results.")


class WorkerDefaults(Section):
    """Defaults for workers outside this process."""

    caps: Capabilities | None = Field(
        default=None,
        description="Capabilities of a worker outside this process, separated by commas: cpu, docker, llm, gpu.",
    )
    warm_pool: Whole | None = Field(default=None, ge=0, le=1_000, description="Number of workers that are kept warm.")
    concurrency: Whole | None = Field(default=None, ge=1, le=1_000, description="Concurrent tasks per worker.")


class WorkerSettings(Section):
    """Workers outside this process."""

    defaults: WorkerDefaults = Field(
        default_factory=WorkerDefaults, description="Defaults for workers outside this process."
    )


_COUNTED: Final = frozenset({"generations", "candidates", "evaluations"})
"""Bounds with the prefix `max_` in seed 000."""
# Derived from Bounds, so that options and settings cannot diverge.
_STOP_KEYS: Final = {f"max_{name}" if name in _COUNTED else name: name for name in Bounds.model_fields}


def _stop_field(bound: FieldInfo) -> Any:  # noqa: ANN401 - as pydantic takes it
    return Annotated[bound.annotation, BeforeValidator(number)], Field(default=None, description=bound.description)


StopSettings: Final[type[Section]] = create_model(
    "StopSettings",
    __base__=Section,
    __doc__="Default stop conditions of `mendel evolve`; options override them, and the first to hold ends the search.",
    **{key: _stop_field(Bounds.model_fields[name]) for key, name in _STOP_KEYS.items()},
)
"""One key for each bound, with the bound's range and description."""


class EvolveSettings(Section):
    """Defaults for the options of `mendel evolve`."""

    selector: PluginName | None = Field(
        default=None, description="Parent selector: a plug-in of the group mendel.selectors."
    )
    backend: PluginName | None = Field(
        default=None, description="Sandbox for candidates; if unset, sandbox.backend, as for all other commands."
    )
    stop: StopSettings = Field(default_factory=StopSettings, description="Stop conditions of the search.")

    def bounds(self) -> Bounds:
        """Return the bounds in the table ``stop``."""
        return Bounds.model_validate({name: getattr(self.stop, key) for key, name in _STOP_KEYS.items()})

"""Sections of seed 000 that all domains share, under the names and with the keys that it gives them."""

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
        default="stub", description='How tasks reach workers: "stub" is this process, "redis" is Redis Streams.'
    )
    url: Address | None = Field(default=None, description="URL of the queue's server; the stub needs none.")
    idle_ms: Whole = Field(
        default=60_000, ge=1, description="Milliseconds after which what a silent worker holds is delivered again."
    )
    max_retry: Whole = Field(default=3, ge=0, le=1_000, description="How often a task is delivered again.")


class ResultBackendSettings(Section):
    """Where results are kept beside the log."""

    provider: Literal["fs"] | None = Field(
        default=None, description='Where results are kept: "fs" is a folder; none is the event log alone.'
    )
    root: SomePath | None = Field(default=None, description="The folder of the results.")


class WorkerDefaults(Section):
    """What a worker outside this process starts with."""

    caps: Capabilities | None = Field(
        default=None, description="What such a worker can do, separated by commas: cpu, docker, llm, gpu."
    )
    warm_pool: Whole | None = Field(default=None, ge=0, le=1_000, description="Workers that are kept warm.")
    concurrency: Whole | None = Field(default=None, ge=1, le=1_000, description="Tasks that a worker does at once.")


class WorkerSettings(Section):
    """Workers outside this process."""

    defaults: WorkerDefaults = Field(
        default_factory=WorkerDefaults, description="What a worker outside this process starts with."
    )


_COUNTED: Final = frozenset({"generations", "candidates", "evaluations"})
"""Bounds that seed 000 calls `max_…`."""
_STOP_KEYS: Final = {f"max_{name}" if name in _COUNTED else name: name for name in Bounds.model_fields}


def _stop_field(bound: FieldInfo) -> Any:  # noqa: ANN401 - as pydantic takes it
    return Annotated[bound.annotation, BeforeValidator(number)], Field(default=None, description=bound.description)


StopSettings: Final[type[Section]] = create_model(
    "StopSettings",
    __base__=Section,
    __doc__="When `mendel evolve` stops where the command line does not say it; the first that holds counts.",
    **{key: _stop_field(Bounds.model_fields[name]) for key, name in _STOP_KEYS.items()},
)
"""A key for each bound there is, with its range and its description."""


class EvolveSettings(Section):
    """How `mendel evolve` searches where the command line does not say it."""

    selector: PluginName | None = Field(
        default=None, description="Who chooses parents: a plug-in of the group mendel.selectors."
    )
    backend: PluginName | None = Field(
        default=None, description="Where candidates run; none is sandbox.backend, which is what others use."
    )
    stop: StopSettings = Field(default_factory=StopSettings, description="When the search stops.")

    def bounds(self) -> Bounds:
        """What the table ``stop`` says."""
        return Bounds.model_validate({name: getattr(self.stop, key) for key, name in _STOP_KEYS.items()})

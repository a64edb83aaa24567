"""Sections of seed 000 that all domains share, under the names and with the keys that it gives them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mendel.settings.values import Address, CapNumber, PluginName, Seconds, Section, SomePath, Whole

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


class StopSettings(Section):
    """When `mendel evolve` stops where the command line does not say it; the first that holds counts."""

    max_generations: CapNumber | None = Field(default=None, description="Stop after so many generations.")
    max_candidates: CapNumber | None = Field(default=None, description="Stop after so many candidates.")
    max_evaluations: CapNumber | None = Field(
        default=None, description="Stop before more programs than this were run against cases."
    )
    seconds: Seconds | None = Field(default=None, gt=0, description="Stop breeding after so many seconds.")
    target: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = Field(
        default=None, description="Stop when a winner reaches it, such as 20x."
    )
    budget: CapNumber | None = Field(default=None, description="Stop when so much energy is spent.")


class EvolveSettings(Section):
    """How `mendel evolve` searches where the command line does not say it."""

    selector: PluginName | None = Field(
        default=None, description="Who chooses parents: a plug-in of the group mendel.selectors."
    )
    backend: PluginName | None = Field(
        default=None, description="Where candidates run; none is sandbox.backend, which is what others use."
    )
    stop: StopSettings = Field(default_factory=StopSettings, description="When the search stops.")

"""The sections of seed 000, under the names and with the keys that it gives them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from mendel.settings.values import (
    Address,
    CapNumber,
    Objective,
    PluginName,
    Reference,
    Seconds,
    Section,
    SomePath,
    Whole,
)

Qualname = Annotated[str, StringConstraints(pattern=r"^[^\W\d]\w*(\.[^\W\d]\w*)*$", max_length=1_000)]
Capabilities = Annotated[str, StringConstraints(pattern=r"^\s*[\w.-]+\s*(,\s*[\w.-]+\s*)*$", max_length=1_000)]
InputSize = Annotated[Whole, Field(ge=0, le=10_000_000)]
LargeSize = Annotated[Whole, Field(ge=1, le=10_000_000)]
PackageName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]


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


class MutateSettings(Section):
    """What is varied where the command line does not say it."""

    target_file: SomePath | None = Field(
        default=None, description="The file that `mendel mutate` and `mendel evolve` work on if given none."
    )
    entry_fn: Qualname | None = Field(default=None, description="The function in that file, or Class.method.")


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


class TaskSettings(Section):
    """What a `task.py` would say, and what stands beside one on the command line; relative paths are the file's own."""

    task: SomePath | None = Field(
        default=None, description="A task.py; what is set beside it in evolve.task counts instead of its own."
    )
    generate: Reference | None = Field(
        default=None, description="FILE.py:NAME of generate(rng, size), which makes the arguments of one call."
    )
    examples: Reference | None = Field(
        default=None, description="FILE.py:NAME of a list of arguments that the function is called with."
    )
    properties: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of check(output, *arguments), or of properties of the gate."
    )
    relations: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of transform(*arguments), or of relations of the gate."
    )
    metrics: tuple[Reference, ...] = Field(
        default=(), description="FILE.py:NAME of measure(output, *arguments), or of metrics of the gate."
    )
    equivalence: Reference | None = Field(
        default=None, description="FILE.py:NAME of same(left, right): whether two answers are as good as one."
    )
    score: Reference | None = Field(
        default=None, description="FILE.py:NAME of score(output, *arguments), a number to be raised."
    )
    oracle: bool | None = Field(
        default=None, description="Whether the original says what is right; false: properties alone do."
    )
    sizes: tuple[InputSize, ...] = Field(
        default=(), min_length=1, description="Sizes of the inputs that breeding sees."
    )
    timing_size: LargeSize | None = Field(default=None, description="The size of the inputs that it is timed on.")
    held_sizes: tuple[LargeSize, ...] = Field(default=(), min_length=1, description="Sizes that only the gate sees.")
    objective: Objective | None = Field(
        default=None, description="What is improved: speed, memory, size, opcodes, score; weights as in speed:2,size:1."
    )
    packages: tuple[PackageName, ...] = Field(default=(), description="Packages that programs may import.")
    tests: tuple[SomePath, ...] = Field(default=(), description="pytest files: a screen, and examples of calls.")
    files: tuple[SomePath, ...] = Field(default=(), description="Further files that may be changed.")


class EvolveSettings(Section):
    """How `mendel evolve` searches where the command line does not say it."""

    selector: PluginName | None = Field(
        default=None, description="Who chooses parents: a plug-in of the group mendel.selectors."
    )
    backend: PluginName | None = Field(
        default=None, description="Where candidates run; none is sandbox.backend, which is what others use."
    )
    entry_fn: Qualname | None = Field(
        default=None, description="The function to improve, if not mutate.entry_fn; it lies in mutate.target_file."
    )
    task: TaskSettings = Field(default_factory=TaskSettings, description="What is right, and what is improved.")
    stop: StopSettings = Field(default_factory=StopSettings, description="When the search stops.")

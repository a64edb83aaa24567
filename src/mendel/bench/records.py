"""Records of source on the bench: tasks, traits and findings. Domains register them as their own kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Generic, Literal, TypeVar

from pydantic import Field, JsonValue

from mendel.contracts.base import Contract, Count, JsonObject, Name, Share, Text
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import RunConfig

ObjectiveName = Literal["speed", "memory", "size", "opcodes", "score"]
Positive = Annotated[float, Field(gt=0.0)]
Size = Annotated[int, Field(ge=0, le=10_000_000)]
Stage = Literal[
    "region",
    "policy",
    "load",
    "small",
    "differential",
    "property",
    "relation",
    "flaky",
    "resources",
    "meddles",
    "tests",
]
"""Where a candidate fell. ``resources``: it ran out of time or memory. ``meddles``: it changes
its arguments, or returns them. ``flaky``: called again, it answers differently; such a
candidate is rejected, even if its answers were right, and is not repaired."""


class SpecFile(Contract):
    """A user's own ``task.py``. It is run in this process, so it is only run if it still has this digest."""

    path: Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class SpecName(Contract):
    """A name that a user's own file defines."""

    file: SpecFile
    name: Text


class SpecTable(Contract):
    """A task as a table of settings: names that files define, by the rule that they serve, and plain values.

    Its entries override those of the ``task.py`` named by ``task``.
    """

    task: SpecFile | None = None
    rules: dict[Name, tuple[SpecName, ...]] = Field(default_factory=dict)
    oracle: bool | None = None
    sizes: tuple[Size, ...] = ()
    timing_size: Size | None = None
    held_sizes: tuple[Size, ...] = ()


class Reference(Contract):
    """The original's time on the timed inputs, and the time of the machine's unit program measured with it."""

    seconds: Positive
    unit_s: Positive
    peak_memory_bytes: Count = 0
    opcodes: Count = 0


class SourceTask(Contract):
    """The data that every run of source needs. Recorded with the run and executed as recorded.

    ``files`` are the sources by their path in the sandbox; ``paths`` gives the user's own name for each path. The gate
    bounds the share of differing inputs by ``margin`` and requires a speed gain of ``min_gain``, in powers of two. A
    run that does not contend (best-of-N, for comparison) never reaches the gate. If models are used, ``templates`` are
    the user's own prompts by name.
    """

    path: Text
    files: dict[str, str]
    paths: dict[str, str] = Field(default_factory=dict)
    cases: Annotated[int, Field(ge=1, le=10_000)] = 120
    case_s: Positive = 1.0
    memory_mb: Annotated[int, Field(ge=16, le=1 << 20)] = 256
    margin: Share = 0.02
    min_gain: Annotated[float, Field(ge=0.0, le=10.0)] = 0.1
    reference: Reference | None = None
    asks_models: bool = False
    templates: dict[str, str] = Field(default_factory=dict)
    contends: bool = True

    if TYPE_CHECKING:  # some tasks define it as a field, which pydantic would report as shadowing a property

        @property
        def editable(self) -> tuple[str, ...]:
            """The files that may change."""

    def originals(self) -> dict[str, str]:
        """Return the editable files as they were."""
        return {path: self.files[path] for path in self.editable}


Task = TypeVar("Task", bound=SourceTask)


class TaskOf(Generic[Task]):
    """Reads the task of a run; ``needed`` is the error message for a run without one."""

    def __init__(self, model: type[Task], needed: str) -> None:
        self._model, self.needed = model, needed

    def __call__(self, config: RunConfig) -> Task:
        """Return the task of a run.

        Raises:
            ValueError: the run has no task.
        """
        if config.domain_config is None:
            raise ValueError(self.needed)
        return self.read(config.domain_config.data)

    def read(self, data: JsonObject) -> Task:
        """Return a task from its recorded data."""
        return self._model.model_validate(data)


class FunctionTask(SourceTask):
    """What the bench needs to know about a function.

    ``roots`` are the functions that may change, by file. ``entry`` is the function to call, as ``module:function``;
    ``function`` is the one to improve, in ``main``. Inputs come from ``inputs`` (a plan), ``examples`` (as JSON) and
    ``spec``. The sizes and shapes used for breeding are separate from those that only the gate sees.
    """

    main: str
    entry: str
    function: str
    roots: dict[str, tuple[str, ...]]
    objectives: Annotated[dict[ObjectiveName, float], Field(min_length=1)]
    inputs: JsonObject | None = None
    examples: tuple[JsonValue, ...] = ()
    spec: SpecFile | SpecTable | None = None
    tests: dict[str, str] = Field(default_factory=dict)
    seen_sizes: tuple[Size, ...] = (2, 5, 12, 30)
    timing_size: Size = 200
    timing_cases: Annotated[int, Field(ge=1, le=1_000)] = 4
    held_sizes: tuple[Size, ...] = (50, 400)
    held_shapes: tuple[Name, ...] | None = None
    large_shapes: tuple[Name, ...] = ()
    packages: tuple[Name, ...] = ()
    held_case_s: Positive = 4.0

    @property
    def editable(self) -> tuple[str, ...]:
        """The files that may change."""
        return tuple(sorted(self.roots))


def recorded(domain: str, kinds: Mapping[str, type[Contract]], model: Contract) -> DomainPayload:
    """Return a model as the log stores it, under its kind."""
    kind = next(kind for kind, known in kinds.items() if type(model) is known)
    return DomainPayload(domain=domain, kind=kind, data=model.model_dump(mode="json"))


class SourceTraits(Contract):
    """The inherited data: the editable files and their origin; ``repairs`` counts the repairs in a row up to here."""

    files: dict[str, str]
    operator: Name | None = None
    note: str = ""
    repairs: Count = 0

    @classmethod
    def files_of(cls, payload: DomainPayload) -> dict[str, str]:
        """Return the files in a domain's traits, ignoring all other fields."""
        return cls.model_validate({"files": payload.data["files"]}).files


class SourceContent(Contract):
    """The content of a candidate: the genome holds the source itself, so this is only what twins share."""

    fingerprint: str


class Examined(Contract):
    """The findings of any examination: the ``stage`` and reason of a fall, and how many of the ``cases`` were right.

    ``stands_at`` is the original's own total. To be worth a challenge, a total must exceed it, or the champion's total,
    by more than ``lead``. A candidate without ``stands_at`` does not challenge.
    """

    passed: bool
    stage: Stage | None = None
    detail: str = ""
    cases: Count = 0
    right: Count = 0
    cpu_ms: Annotated[float, Field(ge=0.0)] = 0.0
    peak_memory_bytes: Count = 0
    stands_at: float | None = None
    lead: float = 0.0
    asks_models: bool = False


class Checked(Examined):
    """The findings about a function before timing.

    ``gains`` over the original, by objective, are powers of two; a score of the user's own is the plain score.
    ``failing`` are the numbers of the seen inputs on which a fallen candidate fails. They are only given if it is worth
    a repair: nearly right, and ahead if it were right.
    """

    nodes: Count = 0
    opcodes: Count | None = None
    gains: dict[ObjectiveName, float] = Field(default_factory=dict)
    wants_timing: bool = False
    failing: tuple[Count, ...] = ()


class Repair(Contract):
    """The basis of a repair: the numbers of the seen inputs on which the parent fails."""

    failing: Annotated[tuple[Count, ...], Field(min_length=1)]


class Timed(Contract):
    """The result of timing: seconds of each sample and of the unit program with it; ``gain`` in powers of two."""

    gain: float
    samples: tuple[tuple[float, float], ...]
    stopped_early: bool = False


class Duelled(Contract):
    """A private comparison with the champion, before a challenge: ratios of the candidate's time to the champion's."""

    ratios: tuple[float, ...]
    ahead: bool


class SizeEvidence(Contract):
    """The speed-up over the original, at one input size if inputs have sizes: geometric mean and interval."""

    size: Size | None = None
    speedup: float
    lower: float
    upper: float
    original_ms: float
    samples: Count

    @property
    def faster(self) -> bool:
        """Whether the whole interval of the speed-up is above 1."""
        return self.lower > 1.0

    def __str__(self) -> str:
        return f"{self.speedup:.3g} times as fast ({self.lower:.3g} to {self.upper:.3g})"


class Audited(Contract):
    """The findings of an audit of adopted source, on inputs that nothing used before.

    ``gains`` over the original cover the objectives without a clock; for a function, on the held-out sizes.
    """

    agrees: bool
    cases: Count
    detail: str = ""
    sizes: tuple[SizeEvidence, ...] = ()
    gains: dict[ObjectiveName, float] = Field(default_factory=dict)

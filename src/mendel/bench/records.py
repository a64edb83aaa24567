"""What is recorded of source on the bench: its task, what is inherited, and what was found; domains register these."""

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
what it was given, or hands it back. ``flaky``: asked again, it answers differently; such a
one is out, whatever it answered, and is not repaired."""


class SpecFile(Contract):
    """A user's own ``task.py``. It is the author's code and runs here, so only a file with this digest ever does."""

    path: Text
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class SpecName(Contract):
    """Something that a user's own file defines."""

    file: SpecFile
    name: Text


class SpecTable(Contract):
    """A task as a table of settings gives it: what files define, by the name of the rule, and plain values.

    What it says counts instead of what the ``task.py`` beneath it says.
    """

    task: SpecFile | None = None
    rules: dict[Name, tuple[SpecName, ...]] = Field(default_factory=dict)
    oracle: bool | None = None
    sizes: tuple[Size, ...] = ()
    timing_size: Size | None = None
    held_sizes: tuple[Size, ...] = ()


class Reference(Contract):
    """What the original takes for the timed inputs, and what the machine's unit took beside it."""

    seconds: Positive
    unit_s: Positive
    peak_memory_bytes: Count = 0
    opcodes: Count = 0


class SourceTask(Contract):
    """What every run of source has to know. Recorded with the run and executed as recorded.

    ``files`` are the sources by the path that they have behind the wall, ``paths`` what the user calls them. The gate
    bounds the share of differing inputs by ``margin`` and wants ``min_gain`` of speed, in powers of two. A run that
    does not contend (best-of-N, for comparison) never stands before the gate. Where models are asked, ``templates`` are
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

    if TYPE_CHECKING:  # some tasks have it as a field, and pydantic would take this for one that is hidden

        @property
        def editable(self) -> tuple[str, ...]:
            """The files that may change."""

    def originals(self) -> dict[str, str]:
        """The editable files as they were."""
        return {path: self.files[path] for path in self.editable}


Task = TypeVar("Task", bound=SourceTask)


class TaskOf(Generic[Task]):
    """Reads the task that a run is about; ``needed`` says what a run without one lacks."""

    def __init__(self, model: type[Task], needed: str) -> None:
        self._model, self.needed = model, needed

    def __call__(self, config: RunConfig) -> Task:
        """The task of a run.

        Raises:
            ValueError: it has none.
        """
        if config.domain_config is None:
            raise ValueError(self.needed)
        return self.read(config.domain_config.data)

    def read(self, data: JsonObject) -> Task:
        """A task as it was recorded."""
        return self._model.model_validate(data)


class FunctionTask(SourceTask):
    """What the bench has to know of a function that it measures.

    ``roots`` are the functions that may change, by file. ``entry`` is what is called, as ``module:function``;
    ``function`` what is improved, in ``main``. Inputs are drawn from ``inputs`` (a plan), ``examples`` (as JSON) and
    ``spec``. Sizes and shapes that breeding sees and those that only the gate sees are apart.
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
    """A model as it stands in the log, under its kind."""
    kind = next(kind for kind, known in kinds.items() if type(model) is known)
    return DomainPayload(domain=domain, kind=kind, data=model.model_dump(mode="json"))


class SourceTraits(Contract):
    """What is inherited: the editable files, and how they came about; ``repairs`` are those in a row up to here."""

    files: dict[str, str]
    operator: Name | None = None
    note: str = ""
    repairs: Count = 0

    @classmethod
    def files_of(cls, payload: DomainPayload) -> dict[str, str]:
        """The files of traits, whatever else a domain has in them."""
        return cls.model_validate({"files": payload.data["files"]}).files


class SourceContent(Contract):
    """Source is itself: its genome holds it, the candidate only what it has in common with its twins."""

    fingerprint: str


class Examined(Contract):
    """What any examination says of a candidate: the ``stage`` at which one fell, and why; ``right`` of ``cases`` were.

    ``stands_at`` is the original's own total, and ``lead`` what a total must be ahead of it, or of the champion's, to
    be worth a challenge; without the first the candidate has nobody to challenge.
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
    """What the cascade before timing found of a function.

    ``gains`` over the original, by objective, are powers of two; a score of the user's own is itself. ``failing`` are
    the numbers of the seen inputs that a fallen candidate fails at, told only where it is nearly right and would be
    ahead: it is worth a repair.
    """

    nodes: Count = 0
    opcodes: Count | None = None
    gains: dict[ObjectiveName, float] = Field(default_factory=dict)
    wants_timing: bool = False
    failing: tuple[Count, ...] = ()


class Repair(Contract):
    """What a repair has to go by: the numbers of the seen inputs at which the parent fails."""

    failing: Annotated[tuple[Count, ...], Field(min_length=1)]


class Timed(Contract):
    """What timing found: seconds of each sample, and of the machine's unit beside it; ``gain`` in powers of two."""

    gain: float
    samples: tuple[tuple[float, float], ...]
    stopped_early: bool = False


class Duelled(Contract):
    """How a candidate did beside the champion, before it claims to be better: what it takes of the champion's time."""

    ratios: tuple[float, ...]
    ahead: bool


class SizeEvidence(Contract):
    """The speed-up over the original, at one size of input where there are sizes: geometric mean with its interval."""

    size: Size | None = None
    speedup: float
    lower: float
    upper: float
    original_ms: float
    samples: Count

    @property
    def faster(self) -> bool:
        """Whether it is, beyond doubt."""
        return self.lower > 1.0

    def __str__(self) -> str:
        return f"{self.speedup:.3g} times as fast ({self.lower:.3g} to {self.upper:.3g})"


class Audited(Contract):
    """What an audit of adopted source says, on inputs that took no part in anything before.

    ``gains`` over the original are of objectives that have no clock; of a function, on the held-out sizes.
    """

    agrees: bool
    cases: Count
    detail: str = ""
    sizes: tuple[SizeEvidence, ...] = ()
    gains: dict[ObjectiveName, float] = Field(default_factory=dict)

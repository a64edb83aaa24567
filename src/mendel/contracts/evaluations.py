"""Requests to a sandbox and its results. See :mod:`mendel.ports.sandbox`.

These are dataclasses, not pydantic models: a batch has a thousand of them, and their values are not JSON.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from mendel.contracts.plain_values import PlainValue

OutcomeKind = Literal["value", "exception", "timeout", "memory", "killed", "violation", "not_run"]
"""How one case ended. ``killed``: the process died during the case (a crash, ``os._exit``). ``violation``: the result
may not leave the sandbox. ``not_run``: the batch's time was up, or the program could not be loaded."""

ErrorCode = Literal[
    "SANDBOX_EXCEPTION",  # the function raised
    "SANDBOX_LOAD_FAILED",  # importing the program raised
    "SANDBOX_TIMEOUT",
    "SANDBOX_MEMORY",
    "SANDBOX_CRASHED",  # a signal ended its process
    "SANDBOX_EXITED",  # its process ended itself
    "SANDBOX_UNDECLARED_TYPE",  # this and the next three are violations
    "SANDBOX_RESULT_TOO_LARGE",
    "SANDBOX_RESULT_TOO_DEEP",
    "SANDBOX_PROTOCOL",
    "SANDBOX_NOT_RUN",  # the time of the whole batch was up
]

Layer = Literal[
    "user", "mount", "pid", "net", "ipc", "uts", "cgroup", "seccomp", "landlock", "rlimits", "privileges", "cgroups"
]
"""One isolation layer: seven kinds of namespace (``cgroup`` is one), the system-call filter, Landlock, limits per
process, dropped privileges (no capability, never uid 0, no_new_privs), and limits per control group (``cgroups``)."""

Tier = Literal["full", "namespaces", "landlock", "weak"]
"""Isolation tier. ``full``: namespaces and Landlock; ``namespaces``, ``landlock``: one of the two; each with seccomp,
limits and dropped privileges. ``weak``: anything less; its results are never adopted."""

MIB: Final = 1 << 20
_PATH: Final = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*")
_ENTRY: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_GRANT_NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Shape:
    """A dataclass of the program whose instances may leave the sandbox, by the names of the class and its fields."""

    name: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """Untrusted source files by path, and the function to call as ``module:function``.

    The files are imported from memory. With ``on_disk`` they are also written to the scratch folder, the working
    directory of the program, for code that looks for files, such as a test suite.
    """

    files: Mapping[str, str]
    entry: str
    shapes: tuple[Shape, ...] = ()
    on_disk: bool = False

    def __post_init__(self) -> None:
        bad = [path for path in self.files if not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/"))]
        if bad:
            raise ValueError(f"{bad[0]!r} is no relative path of plain names, such as candidate.py or pkg/part.py")
        if not _ENTRY.fullmatch(self.entry):
            raise ValueError(f"the entry {self.entry!r} does not read module:function, such as candidate:solve")

    @classmethod
    def of(cls, source: str, function: str, *, shapes: tuple[Shape, ...] = ()) -> Program:
        """Return a program that consists of one file."""
        return cls({"candidate.py": source}, f"candidate:{function}", shapes)


_NO_KEYWORDS: Final[Mapping[str, PlainValue]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Case:
    """The arguments of one call."""

    args: tuple[PlainValue, ...] = ()
    kwargs: Mapping[str, PlainValue] = field(default_factory=lambda: _NO_KEYWORDS)


_LIMIT_RANGES: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "case_s": (0.001, 86_400),
        "batch_s": (0.001, 86_400),
        "memory_bytes": (16 * MIB, 1 << 46),
        "result_bytes": (1, 1 << 40),
        "output_bytes": (1, 1 << 40),
        "scratch_bytes": (0, 1 << 40),
        "scratch_files": (0, 1 << 30),
        "open_files": (8, 1 << 16),
        "threads": (0, 10_000),
    }
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Resource limits of one evaluation. Loading the program counts as a case; the parent process measures the time."""

    case_s: float = 1.0
    batch_s: float = 30.0
    memory_bytes: int = 256 * MIB
    result_bytes: int = 8 * MIB
    output_bytes: int = 64 * 1024
    scratch_bytes: int = 8 * MIB
    scratch_files: int = 256
    open_files: int = 64
    threads: int = 0

    def __post_init__(self) -> None:
        for name, (least, most) in _LIMIT_RANGES.items():
            if not least <= getattr(self, name) <= most:
                raise ValueError(f"the limit {name} is {getattr(self, name)}; it must be from {least} to {most}")


@dataclass(frozen=True, slots=True)
class Grants:
    """Access that a task gives its programs: packages by import name, files by name, the network, the GPU, commands.

    A granted file or folder appears read-only as ``/files/NAME``. ``commands`` lets the program start installed
    commands as subprocesses. Network, GPU and commands must also be allowed by the run.
    """

    packages: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    network: bool = False
    gpu: bool = False
    commands: bool = False

    def __post_init__(self) -> None:
        bad = [name for name in (*self.packages, *self.files) if not _GRANT_NAME.fullmatch(name)]
        if bad:
            raise ValueError(f"{bad[0]!r} is no name that can be granted")


NO_LIMITS_CHANGED: Final = Limits()
NOTHING_GRANTED: Final = Grants()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case ended. ``value``, ``message``, ``line`` and ``opcodes`` come from the program and are untrusted."""

    kind: OutcomeKind
    value: PlainValue = None
    error_type: str | None = None
    error_code: ErrorCode | None = None
    message: str = ""
    line: int | None = None
    opcodes: int | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the case returned a value."""
        return self.kind == "value"


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """Resources used by an evaluation, measured by the parent process. ``forks``: number of processes started."""

    cpu_s: float
    wall_s: float
    peak_memory_bytes: int
    forks: int

    def __add__(self, other: ResourceUse) -> ResourceUse:
        return ResourceUse(
            self.cpu_s + other.cpu_s,
            self.wall_s + other.wall_s,
            max(self.peak_memory_bytes, other.peak_memory_bytes),  # peaks of separate evaluations do not add up
            self.forks + other.forks,
        )


NOTHING_USED: Final = ResourceUse(0.0, 0.0, 0, 0)


NAMESPACES_NEEDED: Final[frozenset[Layer]] = frozenset({"user", "mount", "pid", "net", "ipc"})
ALWAYS_NEEDED: Final[frozenset[Layer]] = frozenset({"seccomp", "rlimits", "privileges"})


def tier_of(layers: Collection[Layer]) -> Tier:
    """Return the isolation tier of a set of layers."""
    if not layers or not set(layers) >= ALWAYS_NEEDED:  # every tier but weak needs them
        return "weak"
    if set(layers) >= NAMESPACES_NEEDED:
        return "full" if "landlock" in layers else "namespaces"
    return "landlock" if "landlock" in layers else "weak"


@dataclass(frozen=True, slots=True)
class Isolation:
    """The isolation in force, verified by attempting forbidden actions; ``missing`` has a reason per missing layer."""

    tier: Tier
    layers: tuple[Layer, ...]
    backend: str
    missing: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def adoptable(self) -> bool:
        """Whether results from this sandbox may be adopted (rule 3)."""
        return self.tier != "weak"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One outcome per case, in order, and what applies to all of them.

    ``stateful``: whether results depend on earlier cases; None if no case was repeated, or if the time did not suffice
    to find out. ``differing``: indices of the cases with another result in a fresh process.
    """

    outcomes: tuple[Outcome, ...]
    usage: ResourceUse
    isolation: Isolation
    output: str = ""
    output_truncated: bool = False
    stateful: bool | None = None
    differing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TimedSample:
    """Processor time of two programs over the same inputs, in separate processes that alternate on one core.

    The times are in seconds for one pass over the inputs, less the time of an empty function (``empty_s``). Each is
    a mean, of ``forks`` passes for the left program and ``right_forks`` for the right one. ``wrong`` lists the cases
    with an unexpected output; a sample with any is no evidence. ``left_wrong``: those of the left program.
    """

    left_s: float
    right_s: float
    empty_s: float
    cases: int
    forks: int
    left_first: bool
    right_forks: int = 1
    wrong: tuple[int, ...] = ()
    left_wrong: tuple[int, ...] = ()

    @property
    def ratio(self) -> float:
        """Time of the right program divided by that of the left one; infinite if the left one took no time."""
        return self.right_s / self.left_s if self.left_s > 0 else math.inf

"""What a task is: how inputs are drawn, what must hold of outputs, and how outputs are compared.

A spec is its author's own code and is trusted; it runs on this side of the sandbox's wall, on plain data only. What it
judges, the baseline and the candidate, never does.
"""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from mendel.contracts.errors import ConfigError
from mendel.guard.equivalence import same

TIME: Final = "time"
"""The metric that no task has to declare: processor time, measured by the sandbox for both sides in alternation."""

Args = tuple[Any, ...]
"""The arguments of one call."""

MetricKind = Literal["mean", "sum"]
MetricInterval = Literal["studentised", "bca", "student", "cluster", "permutation"]
Expectation = Literal["equal", "properties_hold"] | Callable[..., bool]
Inputs = Callable[[int, int], Iterable[Any]] | object
"""A function of (how many, seed), a sized generator of ``mendel.guard.generators``, or a Hypothesis strategy."""


@dataclass(frozen=True)
class Property:
    """Something that must hold of every output: ``check(output, *arguments)``.

    A *hard* one decides; a *soft* one is counted and reported.
    """

    check: Callable[..., bool]
    description: str
    mode: Literal["hard", "soft"] = "hard"

    def __post_init__(self) -> None:
        _callable(self.check, f"the check of property {self.description!r}")
        if self.mode not in ("hard", "soft"):
            raise ConfigError(f"property {self.description!r} is hard or soft, not {self.mode!r}")


@dataclass(frozen=True)
class MetamorphicRelation:
    """How the output must behave when the input is transformed.

    ``transform(*arguments)`` answers with the arguments of a second call, or None where it does not apply; with
    ``accepts_rng`` it is also handed ``rng``, a ``random.Random`` seeded for this case. ``expect`` is ``"equal"`` (both
    outputs are equivalent), ``"properties_hold"`` (the second output has the task's properties for its own input) or a
    function of both outputs, ``(before, after)`` or ``(before, after, arguments, transformed)``.
    """

    name: str
    transform: Callable[..., Any]
    expect: Expectation = "equal"
    accepts_rng: bool = False
    category: str | None = None
    description: str | None = None

    def __post_init__(self) -> None:
        _callable(self.transform, f"the transform of relation {self.name!r}")
        if not callable(self.expect) and self.expect not in ("equal", "properties_hold"):
            raise ConfigError(
                f"relation {self.name!r} expects 'equal', 'properties_hold' or a function, not {self.expect!r}"
            )
        if callable(self.expect) and positional(self.expect) not in (None, 2, 4):
            raise ConfigError(
                f"relation {self.name!r}: its expectation takes (before, after), or (before, after, arguments,"
                " transformed)"
            )

    def transformed(self, args: Args, seed: int) -> Args | None:
        """The arguments of the second call."""
        extra = {"rng": random.Random(seed)} if self.accepts_rng else {}  # noqa: S311  # nosec B311
        made = self.transform(*args, **extra)
        return None if made is None else as_arguments(made)


@dataclass(frozen=True)
class Metric:
    """A number to be had from every output: ``extract(output, arguments)``."""

    name: str
    extract: Callable[[Any, Args], float]
    kind: MetricKind = "mean"
    higher_is_better: bool = True
    ci_method: MetricInterval = "studentised"

    def __post_init__(self) -> None:
        _callable(self.extract, f"the extract of metric {self.name!r}")
        if self.kind not in ("mean", "sum"):
            raise ConfigError(f"metric {self.name!r} is a mean or a sum, not {self.kind!r}")
        if self.ci_method not in get_args(MetricInterval):
            known = ", ".join(get_args(MetricInterval))
            raise ConfigError(f"metric {self.name!r} has no interval {self.ci_method!r}; known are {known}")


def shown(value: object) -> str:
    """How an input or an output is shown unless the task says otherwise."""
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer of more digits than Python writes, or a very deep list
        return f"<a {type(value).__name__} that is too large to be shown>"


@dataclass(frozen=True)
class TaskSpec:
    """Everything the gate has to know about a task.

    Args:
        name: What reports call it.
        gen_inputs: Where inputs come from; each is a tuple of arguments, anything else is one argument.
        properties: What must hold of every output.
        relations: How outputs must behave when inputs are transformed.
        equivalence: Whether two outputs are as good as the same. Identical ones always are, ``nan`` included.
        metrics: Numbers to compare.
        cluster_key: Inputs with the same key are not independent of each other.
        fmt_in: Shows a tuple of arguments to people.
        fmt_out: Shows an output to people.
        valid: Whether arguments are any that the task allows; keeps shrinking inside the task. Without it, those are
            valid that the baseline can answer.
        packages: What implementations may import beyond the standard library.
    """

    name: str
    gen_inputs: Inputs
    properties: Sequence[Property] = ()
    relations: Sequence[MetamorphicRelation] = ()
    equivalence: Callable[[Any, Any], bool] = same
    metrics: Sequence[Metric] = ()
    cluster_key: Callable[[Args], Hashable] | None = None
    fmt_in: Callable[[Args], str] = shown
    fmt_out: Callable[[Any], str] = shown
    valid: Callable[..., bool] | None = None
    packages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _callable(self.equivalence, f"the equivalence of task {self.name!r}")
        if not self.name.isprintable() or isinstance(cast("object", self.packages), str):
            raise ConfigError(f"task {self.name!r}: a name is printable text, and packages are a tuple of names")
        for field in ("properties", "relations", "metrics", "packages"):
            object.__setattr__(self, field, tuple(getattr(self, field)))
        if any(metric.name == TIME for metric in self.metrics):
            raise ConfigError(f"task {self.name!r}: a metric called {TIME!r} is the gate's own; give it another name")
        for what, names in (
            ("relations", [relation.name for relation in self.relations]),
            ("metrics", [metric.name for metric in self.metrics]),
            ("properties", [rule.description for rule in self.properties]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ConfigError(f"task {self.name!r} has two {what} called {twice[0]!r}")

    @property
    def hard(self) -> list[Property]:
        """The properties that decide."""
        return [rule for rule in self.properties if rule.mode == "hard"]


def as_arguments(value: object) -> Args:
    """A tuple of arguments is itself; anything else is the only one."""
    return value if isinstance(value, tuple) else (value,)


def positional(function: Callable[..., Any]) -> int | None:
    """How many arguments a function takes by place; None where that cannot be told, or any number will do."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    return sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)


def _callable(value: object, what: str) -> None:
    if not callable(value):
        raise ConfigError(f"{what} is no function but a {type(value).__name__}")

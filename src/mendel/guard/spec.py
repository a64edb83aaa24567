"""Tasks: how inputs are drawn, what must hold of outputs, and how outputs are compared.

A spec is trusted code of its author and runs in this process, on plain data only. The code that it judges, of baseline
and candidate, runs only in the sandbox.
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
"""The built-in metric: processor time, which the sandbox measures for both sides in alternation."""

Args = tuple[Any, ...]
"""The arguments of one call."""

MetricKind = Literal["mean", "sum"]
MetricInterval = Literal["studentised", "bca", "student", "cluster", "permutation"]
Expectation = Literal["equal", "properties_hold"] | Callable[..., bool]
Inputs = Callable[[int, int], Iterable[Any]] | object
"""A function of (count, seed), a sized generator of ``mendel.guard.generators``, or a Hypothesis strategy."""


@dataclass(frozen=True)
class Property:
    """A condition on every output: ``check(output, *arguments)`` must be true.

    A *hard* property affects the decision; a *soft* one is only counted and reported.
    """

    check: Callable[..., bool]
    description: str
    mode: Literal["hard", "soft"] = "hard"

    def __post_init__(self) -> None:
        _callable(self.check, f"the check of property {self.description!r}")
        if self.mode not in ("hard", "soft"):
            raise ConfigError(f"the mode of property {self.description!r} is hard or soft, not {self.mode!r}")


@dataclass(frozen=True)
class MetamorphicRelation:
    """How the output must behave when the input is transformed.

    ``transform(*arguments)`` returns the arguments of a second call, or None where it does not apply; with
    ``accepts_rng`` it also receives ``rng``, a ``random.Random`` seeded for this case. ``expect`` is ``"equal"`` (both
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
                f"relation {self.name!r}: expect is 'equal', 'properties_hold' or a function, not {self.expect!r}"
            )
        if callable(self.expect) and positional(self.expect) not in (None, 2, 4):
            raise ConfigError(
                f"relation {self.name!r}: the function in expect must take (before, after), or (before, after,"
                " arguments, transformed)"
            )

    def transformed(self, args: Args, seed: int) -> Args | None:
        """Return the arguments of the second call; None where the relation does not apply."""
        extra = {"rng": random.Random(seed)} if self.accepts_rng else {}  # noqa: S311  # nosec B311
        made = self.transform(*args, **extra)
        return None if made is None else as_arguments(made)


@dataclass(frozen=True)
class Metric:
    """A number computed from every output: ``extract(output, arguments)``."""

    name: str
    extract: Callable[[Any, Args], float]
    kind: MetricKind = "mean"
    higher_is_better: bool = True
    ci_method: MetricInterval = "studentised"

    def __post_init__(self) -> None:
        _callable(self.extract, f"the extract of metric {self.name!r}")
        if self.kind not in ("mean", "sum"):
            raise ConfigError(f"the kind of metric {self.name!r} is mean or sum, not {self.kind!r}")
        if self.ci_method not in get_args(MetricInterval):
            known = ", ".join(get_args(MetricInterval))
            raise ConfigError(f"metric {self.name!r}: unknown ci_method {self.ci_method!r}; known are {known}")


def shown(value: object) -> str:
    """Show an input or an output; the default of ``fmt_in`` and ``fmt_out``."""
    try:
        return repr(value)
    except (ValueError, RecursionError):  # an integer of more digits than Python writes, or a very deep list
        return f"<a {type(value).__name__} that is too large to show>"


@dataclass(frozen=True)
class TaskSpec:
    """The definition of a task for the gate.

    Args:
        name: The name in reports.
        gen_inputs: The source of inputs; each input is a tuple of arguments, anything else counts as one argument.
        properties: Conditions on every output.
        relations: How outputs must behave when inputs are transformed.
        equivalence: Whether two outputs count as the same. Identical outputs always do, ``nan`` included.
        metrics: Numbers to compare.
        cluster_key: Inputs with the same key are not independent of each other.
        fmt_in: Formats a tuple of arguments for people.
        fmt_out: Formats an output for people.
        valid: Whether the task allows these arguments; it restricts shrinking. Without it, shrinking accepts every
            input that the baseline can answer.
        packages: Packages that implementations may import besides the standard library.
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
            raise ConfigError(f"task {self.name!r}: the name must be printable text, and packages a tuple of names")
        for field in ("properties", "relations", "metrics", "packages"):
            object.__setattr__(self, field, tuple(getattr(self, field)))  # the class is frozen; callers may pass lists
        if any(metric.name == TIME for metric in self.metrics):
            raise ConfigError(f"task {self.name!r}: the metric {TIME!r} is built in; give yours another name")
        for what, names in (
            ("relations", [relation.name for relation in self.relations]),
            ("metrics", [metric.name for metric in self.metrics]),
            ("properties", [rule.description for rule in self.properties]),
        ):
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ConfigError(f"task {self.name!r} has two {what} called {twice[0]!r}; give each its own name")

    @property
    def hard(self) -> list[Property]:
        """The hard properties."""
        return [rule for rule in self.properties if rule.mode == "hard"]


def as_arguments(value: object) -> Args:
    """Return a tuple unchanged as the arguments of a call; anything else becomes the only argument."""
    return value if isinstance(value, tuple) else (value,)


def positional(function: Callable[..., Any]) -> int | None:
    """Count a function's positional parameters; None where it has no signature or takes ``*args``."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    return sum(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)


def _callable(value: object, what: str) -> None:
    if not callable(value):
        raise ConfigError(f"{what} must be a function, not a {type(value).__name__}")

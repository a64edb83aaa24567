"""A user's own rules: what a ``task.py``, or a table of settings, defines about a task. All else is inferred."""

from __future__ import annotations

import difflib
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from mendel.bench.own_files import loaded
from mendel.bench.records import FunctionTask, SpecFile, SpecName, SpecTable
from mendel.bench.spec_values import KNOWN, LISTS, PLAIN_DATA, Place, checked, not_plain
from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.guard.equivalence import same
from mendel.guard.spec import Args, MetamorphicRelation, Metric, Property, TaskSpec, as_arguments

_SCORE: Final = "score"
_PLAIN: Final = ("oracle", "sizes", "timing_size", "held_sizes")
"""Rules that a table gives as plain values; it takes all others from files."""


@dataclass(frozen=True)
class OwnRules:
    """The user's rules for a task.

    ``generate(rng, size)`` makes the arguments of one call; ``examples`` are some. ``properties``, ``relations``,
    ``metrics`` and ``equivalence`` are the gate's. ``score(output, *arguments)`` is a number to maximise. With
    ``oracle = False`` the original's answers do not decide what is right: only the properties do.
    """

    generate: Callable[[random.Random, int], Any] | None = None
    examples: tuple[Args, ...] = ()
    properties: tuple[Property, ...] = ()
    relations: tuple[MetamorphicRelation, ...] = ()
    metrics: tuple[Metric, ...] = ()
    equivalence: Callable[[Any, Any], bool] = same
    score: Callable[..., float] | None = None
    oracle: bool = True
    sizes: tuple[int, ...] = ()
    held_sizes: tuple[int, ...] = ()
    timing_size: int | None = None
    packages: tuple[str, ...] = ()
    objective: str | None = None

    def spec(self, task: FunctionTask, held: Callable[[int, int], Sequence[Args]]) -> TaskSpec:
        """Return the task for the gate, on held-out inputs."""
        score = [Metric(_SCORE, lambda output, args: float(self.rated(output, args)))] if self.score else []
        return TaskSpec(
            name=f"{task.path}:{task.function}",
            gen_inputs=held,
            properties=self.properties,
            relations=self.relations,
            equivalence=self.equivalence if self.oracle else _whatever,
            metrics=[*score, *self.metrics],
            packages=task.packages,
        )

    def rated(self, output: Any, args: Args) -> float:  # noqa: ANN401 - programs may return anything
        """Return the score of an answer."""
        if self.score is None:
            raise SpecFailed("the task has no score")
        return float(self.score(output, *args))

    def made(self, size: int, seed: int, *key: int | str) -> Args:
        """Return the arguments of one call of about that size.

        Raises:
            SpecFailed: there is no generator, it raised, or it made something that cannot be an input.
        """
        if self.generate is None:
            raise SpecFailed("the task has no generator")
        rng = random.Random(Entropy("task", seed).word(*key, size))  # noqa: S311  # nosec B311
        try:
            made = self.generate(rng, size)
        # Broad on purpose: the generator is the user's code; whatever it raises is reported as its failure.
        except (Exception, SystemExit) as error:
            raise SpecFailed(f"generate(rng, {size}) of the task raised {type(error).__name__}: {error}") from error
        strange = not_plain(made)
        if strange is not None:
            raise SpecFailed(f"generate(rng, {size}) of the task made {strange}; inputs are {PLAIN_DATA}")
        return as_arguments(made)


def _whatever(_left: object, _right: object) -> bool:
    """Accept every answer: without an oracle, only the other rules judge."""
    return True


def rules_of(spec: SpecFile | SpecTable | None) -> OwnRules:
    """Return the rules that a ``task.py``, or a table of settings, defines.

    Raises:
        ConfigError: a file cannot be read or differs from the recorded one, or a definition is invalid.
        SpecFailed: a file raises.
    """
    if spec is None:
        return OwnRules()
    if isinstance(spec, SpecTable):
        return OwnRules(**checked(_in_table(spec), Place("[evolve.task]", _sources(spec))))
    return OwnRules(**checked(_in_file(spec), Place(spec.path)))


def _in_file(spec: SpecFile) -> dict[str, Any]:
    module = loaded(spec)
    found = {name: getattr(module, name) for name in KNOWN if hasattr(module, name)}
    if not found:
        raise ConfigError(f"{spec.path} defines nothing that is known of a task; it may define {', '.join(KNOWN)}")
    return found


def _in_table(table: SpecTable) -> dict[str, Any]:
    found = _in_file(table.task) if table.task is not None else {}  # the table's own entries override these
    files = {name.file for names in table.rules.values() for name in names}
    modules = {file: loaded(file) for file in sorted(files, key=lambda file: file.path)}  # they run in a fixed order
    for rule, names in table.rules.items():
        values = [_defined(modules[name.file], name, rule) for name in names]
        found[rule] = [each for value in values for each in _several(value)] if rule in LISTS else values[0]
    return {**found, **{name: value for name in _PLAIN if (value := getattr(table, name)) not in (None, ())}}


def _sources(table: SpecTable) -> dict[str, str]:
    """Return the origin of each rule of the table: a definition in a file, or the ``task.py`` beneath it."""
    named = {rule: ", ".join(f"{name.file.path}:{name.name}" for name in names) for rule, names in table.rules.items()}
    plain = {name for name in _PLAIN if getattr(table, name) not in (None, ())}
    beneath = {name: table.task.path for name in KNOWN if name not in plain} if table.task is not None else {}
    return {**beneath, **named}


def _defined(module: ModuleType, wanted: SpecName, rule: str) -> object:
    if hasattr(module, wanted.name):
        return getattr(module, wanted.name)
    near = difflib.get_close_matches(wanted.name, vars(module), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ConfigError(f"[evolve.task] {rule}: {wanted.file.path} defines no {wanted.name!r}{hint}")


def _several(value: object) -> Sequence[object]:
    """Return a list's items; any other value counts as one item."""
    return value if isinstance(value, list | tuple) else [value]

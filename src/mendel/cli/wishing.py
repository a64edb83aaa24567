"""What the command line and ``mendel.toml`` together ask for: a function, its rules, and when to stop."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from mendel.bench.bounds import Bounds
from mendel.bench.objectives import parse_objectives
from mendel.bench.own_files import spec_file
from mendel.bench.planning import Plan
from mendel.bench.records import ObjectiveName, SourceTask, SpecName, SpecTable
from mendel.cli.context import Session
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import RunConfig
from mendel.domains.programs.wishes import Wish
from mendel.ports.task_fabric import TaskFabric
from mendel.settings import Loaded, Settings, evolve_target
from mendel.settings.evolution import TaskSettings

T = TypeVar("T", bound=SourceTask)
_RULES: Final = ("generate", "examples", "properties", "relations", "metrics", "equivalence", "score")
_TABLE: Final = "evolve.task"


@dataclass(frozen=True)
class Asked:
    """What the command line says of a task; what it leaves open, ``[evolve.task]`` may say."""

    target: str | None = None
    objective: str | None = None
    task: Path | None = None
    tests: Sequence[Path] = ()
    files: Sequence[Path] = ()
    packages: Sequence[str] = ()
    mutator: str = "offline"


def wish_of(session: Session, asked: Asked) -> Wish:
    """The function to be improved, with all that is said of it.

    Each option wins over its key of the table, and a ``task.py`` over all rules of the table. A table that stands
    beside another function is not about this one.

    Raises:
        ConfigError: no function is named, or a value cannot be; one of the settings is told with where it stands.
    """
    loaded = session.loaded
    named = evolve_target(loaded.settings)
    target = asked.target or named
    if target is None:
        raise ConfigError(
            "say which function: mendel evolve FILE:FUNC, or [mutate] target_file and entry_fn in mendel.toml"
        )
    path, function = Wish.parse(target)
    table = _Table(loaded)
    if table.given and named is not None and not _same(target, named):
        session.announce(f"[{_TABLE}] is about {named} and is not used for {target}")
        table = _Table(loaded, TaskSettings())
    ruled = asked.task is None
    return Wish(
        path=path,
        function=function,
        files=tuple(asked.files) or table.paths("files"),
        tests=tuple(asked.tests) or table.paths("tests"),
        task=asked.task,
        table=table.spec() if ruled else None,
        objectives=_objectives(asked, table, ruled=ruled),
        packages=tuple(asked.packages) or (table.settings.packages if ruled else ()),
        mutator=asked.mutator,
    )


def _same(one: str, other: str) -> bool:
    (path, name), (other_path, other_name) = Wish.parse(one), Wish.parse(other)
    return name == other_name and path.resolve() == other_path.resolve()


def _objectives(asked: Asked, table: _Table, *, ruled: bool) -> Mapping[ObjectiveName, float] | None:
    if asked.objective is not None:
        return parse_objectives(asked.objective)
    return table.objectives() if ruled else None


class _Table:
    """``[evolve.task]``, its paths and references resolved."""

    def __init__(self, loaded: Loaded, settings: TaskSettings | None = None) -> None:
        self._loaded = loaded
        self.settings = loaded.settings.evolve.task if settings is None else settings

    @property
    def given(self) -> bool:
        """Whether it says anything."""
        return self.settings != TaskSettings()

    def paths(self, name: str) -> tuple[Path, ...]:
        """The files under a key."""
        return tuple(self._loaded.path(f"{_TABLE}.{name}", path) for path in getattr(self.settings, name))

    def objectives(self) -> Mapping[ObjectiveName, float] | None:
        """What is to be improved.

        Raises:
            ConfigError: there is no such objective.
        """
        if self.settings.objective is None:
            return None
        try:
            return parse_objectives(self.settings.objective)
        except ConfigError as error:
            raise self._loaded.complaint(f"{_TABLE}.objective", error) from error

    def spec(self) -> SpecTable | None:
        """Its rules, as a run records them; None where it has none.

        Raises:
            ConfigError: a file cannot be read.
        """
        settings = self.settings
        given = {name: _several(getattr(settings, name)) for name in _RULES if getattr(settings, name)}
        found = SpecTable(
            task=self._name("task", f"{settings.task}:task").file if settings.task is not None else None,
            rules={rule: tuple(self._name(rule, each) for each in references) for rule, references in given.items()},
            oracle=settings.oracle,
            sizes=settings.sizes,
            timing_size=settings.timing_size,
            held_sizes=settings.held_sizes,
        )
        return found if found != SpecTable() else None

    def _name(self, key: str, reference: str) -> SpecName:
        path, _, name = reference.rpartition(":")
        whole = f"{_TABLE}.{key}"
        try:
            return SpecName(file=spec_file(self._loaded.path(whole, Path(path)).resolve()), name=name)
        except ConfigError as error:
            raise self._loaded.complaint(whole, error) from error


def _several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value


def bounds_of(settings: Settings) -> Bounds:
    """``[evolve.stop]``, whose keys are those of seed 000."""
    return Bounds.asked({name.removeprefix("max_"): value for name, value in settings.evolve.stop}, "[evolve.stop] {}")


def drawn(seed: int | None) -> int:
    """The number behind every draw, where none is said."""
    return seed if seed is not None else secrets.randbelow(2**31)


@dataclass(frozen=True)
class Invocation(Generic[T]):
    """What reading alone tells of a task and how it is searched, with the settings of this invocation."""

    plan: Plan[T]
    settings: Settings

    @property
    def weak(self) -> bool:
        """Whether it may run behind too few walls."""
        return self.plan.search.weak

    @property
    def path(self) -> Path:
        """The file whose work tree the result belongs to."""
        return Path(self.plan.task.path)

    async def config(self, session: Session, fabric: TaskFabric) -> RunConfig:
        """The run, after a look at the original at work."""
        return await self.plan.measured(fabric, session.announce)

"""What programs add to `mendel evolve`: a function to improve, with its rules from options or from ``mendel.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Final

import typer

from mendel.bench.archives import parse_archive
from mendel.bench.objectives import parse_objectives
from mendel.bench.own_files import spec_file
from mendel.bench.planning import Search
from mendel.bench.records import ObjectiveName, SpecName, SpecTable
from mendel.console.evolvable import Asked, Evolvable, Invocation, drawn
from mendel.console.options import SEARCH, TASK
from mendel.console.session import Session
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import OFFLINE
from mendel.domains.programs.front.settings import TaskSettings, evolve_target, lookup_fields
from mendel.domains.programs.models import ProgramTask
from mendel.domains.programs.preparing import drafted
from mendel.domains.programs.preparing import plan as run_plan
from mendel.domains.programs.wishes import Wish
from mendel.kernel.loading import load_selector
from mendel.settings import Loaded, Settings
from mendel.wiring import scrubber

_RULES: Final = ("generate", "examples", "properties", "relations", "metrics", "equivalence", "score")
_TABLE: Final = "evolve.task"

Task = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Your own task.py: how inputs are made, properties, relations, sizes, a score.",
        rich_help_panel=TASK,
    ),
]
Tests = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="pytest files that a candidate must pass; calls in them are examples of inputs. May be repeated.",
        rich_help_panel=TASK,
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PACKAGE",
        help="A package that programs may import beyond the standard library. May be repeated.",
        rich_help_panel=TASK,
    ),
]
Archive = Annotated[
    str | None,
    typer.Option(
        metavar="AXES",
        help="Keep the best of each kind alive, as told apart by speed, memory, size, age or opcodes: speed,size;"
        " speed:20 has 20 bins, and speed,size,cvt:64 has 64 cells instead of a grid.",
        rich_help_panel=SEARCH,
    ),
]
Mutator = Annotated[
    str,
    typer.Option(metavar="NAME", help="Who varies programs; `mendel plugin list` shows all.", rich_help_panel=SEARCH),
]


def plan(
    session: Session,
    asked: Asked,
    *,
    task: Task = None,
    tests: Tests = None,
    allow: Allow = None,
    archive: Archive = None,
    mutator: Mutator = OFFLINE,
) -> Invocation[ProgramTask]:
    """The run that improves the function which is asked for.

    Raises:
        MendelError: something of it cannot be.
    """
    target = _target(asked)
    said = FunctionAsked(target, asked.objective, task, tuple(tests or ()), asked.files, tuple(allow or ()), mutator)
    search = replace(
        asked.search,
        archive=parse_archive(archive) if archive is not None else None,
        models=asked.search.models and _models_vary(asked.models, mutator),
    )
    return function_plan(session, wish_of(session, said), asked.settings, search, asked.seed)


def _target(asked: Asked) -> str | None:
    if len(asked.targets) > 1:
        raise ConfigError(
            f"{len(asked.targets)} targets, and one function is improved at a time; several files go with --run CMD"
        )
    target = asked.targets[0] if asked.targets else None
    if target is not None and ":" not in target:
        raise ConfigError(
            f"{target!r} does not read FILE:FUNC; say which function of it (Python), or how it is run, in whatever"
            f' language: mendel evolve {target} --run "COMMAND"'
        )
    return target


def _models_vary(wanted: bool | None, mutator: str) -> bool:
    """Whether models may join the operators; a mutator of one's own varies alone."""
    if mutator == OFFLINE:
        return True
    if wanted:
        raise ConfigError(f"--models and --mutator {mutator}: one of the two varies programs, not both")
    return False


def function_plan(
    session: Session, wish: Wish, settings: Settings, search: Search, seed: int | None
) -> Invocation[ProgramTask]:
    """The plan, with everything refused that can be before a database or a sandbox starts.

    Raises:
        MendelError: something of it cannot be.
    """
    load_selector(search.selector)
    draft = drafted(wish, scrubber(settings)).model_copy(update=lookup_fields(settings) if search.models else {})
    found = Invocation(run_plan(draft, drawn(seed), search), settings)
    found.plan.draft()
    for lacking in session.loaded.lacking:
        if not (search.models and lacking.key.startswith("llm.")):
            session.announce(str(lacking))
    return found


EVOLVABLE: Final = Evolvable(
    plan=plan,
    help="The original says what is right; inputs come from its type hints, its docstring's examples or your tests.",
    examples=(
        "mendel evolve examples/bad_sort.py:sort",
        "mendel evolve my_module.py:slow --seconds 60 --target 10x --apply",
        "mendel evolve my_module.py:Class.method --tests tests/test_it.py --objective speed,memory",
    ),
    idle="is for functions (FILE:FUNC), and means nothing beside --run",
)


# --- what is said of a function --------------------------------------------------------------------------------


@dataclass(frozen=True)
class FunctionAsked:
    """What the command line says of a task; what it leaves open, ``[evolve.task]`` may say."""

    target: str | None = None
    objective: str | None = None
    task: Path | None = None
    tests: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    packages: tuple[str, ...] = ()
    mutator: str = OFFLINE


def wish_of(session: Session, asked: FunctionAsked) -> Wish:
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


def _objectives(asked: FunctionAsked, table: _Table, *, ruled: bool) -> Mapping[ObjectiveName, float] | None:
    if asked.objective is not None:
        return parse_objectives(asked.objective)
    return table.objectives() if ruled else None


class _Table:
    """``[evolve.task]``, its paths and references resolved."""

    def __init__(self, loaded: Loaded, settings: TaskSettings | None = None) -> None:
        self._loaded = loaded
        self.settings = loaded.settings.section(TaskSettings) if settings is None else settings

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

"""The part of `mendel evolve` for programs: a function to improve, with rules from options or ``mendel.toml``."""

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
        help="Your own task.py: it may define input generation, properties, relations, sizes, a score.",
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
        help="Keep the best program of each kind, distinguished by speed, memory, size, age or opcodes: speed,size;"
        " speed:20 has 20 bins, and speed,size,cvt:64 has 64 cells instead of a grid.",
        rich_help_panel=SEARCH,
    ),
]
Mutator = Annotated[
    str,
    typer.Option(metavar="NAME", help="The mutator; `mendel plugin list` shows all of them.", rich_help_panel=SEARCH),
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
    """Return the run that improves the requested function.

    Raises:
        MendelError: a part of the request is invalid.
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
            f"{len(asked.targets)} targets, and one function is improved at a time; for several files, use --run CMD"
        )
    target = asked.targets[0] if asked.targets else None
    if target is not None and ":" not in target:
        raise ConfigError(
            f"{target!r} does not read FILE:FUNC; say which function of it (Python), or how it is run, in any"
            f' language: mendel evolve {target} --run "COMMAND"'
        )
    return target


def _models_vary(wanted: bool | None, mutator: str) -> bool:
    """Whether models may join the operators; a custom mutator varies alone."""
    if mutator == OFFLINE:
        return True
    if wanted:
        raise ConfigError(f"--models and --mutator {mutator}: only one of the two can vary programs; omit the other")
    return False


def function_plan(
    session: Session, wish: Wish, settings: Settings, search: Search, seed: int | None
) -> Invocation[ProgramTask]:
    """Return the plan, after all checks that are possible before a database or a sandbox starts.

    Raises:
        MendelError: a part of the request is invalid.
    """
    load_selector(search.selector)
    draft = drafted(wish, scrubber(settings)).model_copy(update=lookup_fields(settings) if search.models else {})
    found = Invocation(run_plan(draft, drawn(seed), search), settings)
    found.plan.draft()  # for its errors
    for lacking in session.loaded.lacking:  # those about `llm` report unused models
        if not (search.models and lacking.key.startswith("llm.")):
            session.announce(str(lacking))
    return found


EVOLVABLE: Final = Evolvable(
    plan=plan,
    help="The original decides what is right; inputs come from its type hints, docstring examples or your tests.",
    examples=(
        "mendel evolve examples/bad_sort.py:sort",
        "mendel evolve my_module.py:slow --seconds 60 --target 10x --apply",
        "mendel evolve my_module.py:Class.method --tests tests/test_it.py --objective speed,memory",
    ),
    idle="is for functions (FILE:FUNC), and has no effect with --run",
)


# --- what is known about a function ----------------------------------------------------------------------------


@dataclass(frozen=True)
class FunctionAsked:
    """The command line's part of a task; ``[evolve.task]`` may add what it leaves open."""

    target: str | None = None
    objective: str | None = None
    task: Path | None = None
    tests: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()
    packages: tuple[str, ...] = ()
    mutator: str = OFFLINE


def wish_of(session: Session, asked: FunctionAsked) -> Wish:
    """Return the function to improve, with all options.

    Each option overrides its key of the table, and a ``task.py`` overrides all rules of the table. A table whose
    settings name another function is ignored.

    Raises:
        ConfigError: no function is named, or a value is invalid; errors in settings give their place.
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
        session.announce(f"[{_TABLE}] is for {named} and is not used for {target}")
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
        """Whether the table has any entry."""
        return self.settings != TaskSettings()

    def paths(self, name: str) -> tuple[Path, ...]:
        """Return the files of a key."""
        return tuple(self._loaded.path(f"{_TABLE}.{name}", path) for path in getattr(self.settings, name))

    def objectives(self) -> Mapping[ObjectiveName, float] | None:
        """Return the objectives.

        Raises:
            ConfigError: an objective is unknown.
        """
        if self.settings.objective is None:
            return None
        try:
            return parse_objectives(self.settings.objective)
        except ConfigError as error:
            raise self._loaded.complaint(f"{_TABLE}.objective", error) from error

    def spec(self) -> SpecTable | None:
        """Return the record of its rules for a run; None if it has none.

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
        return found if found != SpecTable() else None  # an empty table sets no rules

    def _name(self, key: str, reference: str) -> SpecName:
        path, _, name = reference.rpartition(":")
        whole = f"{_TABLE}.{key}"
        try:
            return SpecName(file=spec_file(self._loaded.path(whole, Path(path)).resolve()), name=name)
        except ConfigError as error:
            raise self._loaded.complaint(whole, error) from error


def _several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else value

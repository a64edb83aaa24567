"""`mendel evolve FILE… --run CMD`: programs in any language, as text."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mendel.cli.context import Session
from mendel.contracts.errors import ConfigError
from mendel.contracts.run_config import RunConfig
from mendel.domains.programs.planning import Search
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.planning import TextSearch, best_of_n, planned
from mendel.domains.texts.preparing import measured
from mendel.domains.texts.wishes import TextWish, drafted
from mendel.kernel.loading import load_selector
from mendel.ports.sandbox import Sandbox
from mendel.settings import Settings, templates_of
from mendel.wiring import scrubber

OFFLINE_ONLY = (
    "no model is asked: lines are deleted, swapped and copied, and numbers changed; with --models, models join"
    " (`mendel models list` shows which there are)"
)


@dataclass(frozen=True)
class Commands:
    """What the command line says of commands."""

    run: str | None = None
    held_run: str | None = None
    score: str | None = None
    minimize: bool = False
    time_limit: float | None = None
    memory_limit: int | None = None

    def refuse_idle(self) -> None:
        """Make sure that nothing of it is said in vain.

        Raises:
            ConfigError: something is said that only means something beside ``--run``.
        """
        said = {
            "--held-run": self.held_run,
            "--score": self.score,
            "--minimize": self.minimize or None,
            "--time-limit": self.time_limit,
            "--memory-limit": self.memory_limit,
        }
        idle = [name for name, value in said.items() if value is not None]
        if idle and self.run is None:
            raise ConfigError(f"{idle[0]} is about programs that a command runs; say which: --run CMD")


def refuse_unclear(targets: Sequence[str], run: str | None) -> None:
    """Make sure that it is clear whether a function or files are meant.

    Raises:
        ConfigError: it is not; the message says how either is asked for.
    """
    if run is None:
        if len(targets) > 1:
            raise ConfigError(
                f"{len(targets)} targets, and one function is improved at a time; several files go with --run CMD"
            )
        if targets and ":" not in targets[0]:
            raise ConfigError(
                f"{targets[0]!r} does not read FILE:FUNC; say which function of it (Python), or how it is run, in"
                f' whatever language: mendel evolve {targets[0]} --run "COMMAND"'
            )
        return
    if not targets:
        raise ConfigError('--run needs the files that may change: mendel evolve FILE --run "COMMAND"')
    for target in targets:
        path, colon, name = target.rpartition(":")
        if colon and not Path(target).exists() and name.replace(".", "_").isidentifier():
            raise ConfigError(
                f"{target} names a function, and --run runs whole files: mendel evolve {path} --run …, where marks"
                " `mendel: evolve` and `mendel: end` say what of it may change; or leave --run away"
            )


def refuse_options_of_functions(**said: object) -> None:
    """Make sure that no option is given that only means something for a function.

    Raises:
        ConfigError: one is; by its name.
    """
    for name, value in said.items():
        if value:
            raise ConfigError(f"--{name} is for functions (FILE:FUNC), and means nothing beside --run")


def wish_of_texts(targets: Sequence[str], files: Sequence[Path], objective: str | None, said: Commands) -> TextWish:
    """What is asked for."""
    return TextWish(
        files=tuple(map(Path, targets)),
        more=tuple(files),
        run=said.run or "",
        held_run=said.held_run,
        score=said.score,
        objective=objective,
        maximize=not said.minimize,
        case_s=said.time_limit,
        memory_mb=said.memory_limit,
    )


@dataclass(frozen=True)
class TextPlan:
    """One invocation: what reading alone tells of the task, and how it is searched."""

    draft: TextTask
    settings: Settings
    search: TextSearch
    seed: int
    commands: bool = True

    @classmethod
    def made(cls, session: Session, wish: TextWish, settings: Settings, search: Search, seed: int | None) -> TextPlan:
        """The plan, with everything refused that can be before a database or a sandbox starts.

        Raises:
            ConfigError: something of it cannot be.
        """
        load_selector(search.selector)
        draft = drafted(wish, scrubber(settings))
        drawn = seed if seed is not None else secrets.randbelow(2**31)
        templates = templates_of(settings) if search.models else {}
        plan = cls(draft.model_copy(update={"templates": templates}), settings, _search(search), drawn)
        planned(plan.draft, plan.seed, plan.search)
        if not search.models:
            session.announce(OFFLINE_ONLY)
        return plan

    @property
    def weak(self) -> bool:
        """Whether it may run behind too few walls."""
        return self.search.weak

    @property
    def path(self) -> Path:
        """The file whose work tree the result belongs to."""
        return Path(self.draft.path)

    async def config(self, session: Session, sandbox: Sandbox) -> RunConfig:
        """The run, after a look at the program at work."""
        task = await measured(self.draft, sandbox, seed=self.seed, announce=session.announce)
        return planned(task, self.seed, self.search)

    def beside(self, config: RunConfig, births: int, conducted_s: float) -> RunConfig:
        """The run of plain best-of-N."""
        return best_of_n(config, births, conducted_s)


def _search(search: Search) -> TextSearch:
    bounds = search.bounds
    return TextSearch(
        generations=bounds.generations,
        candidates=bounds.candidates,
        evaluations=bounds.evaluations,
        seconds=bounds.breeding_s(),
        target=bounds.target,
        budget=bounds.budget,
        selector=search.selector,
        population=search.population,
        slots=search.slots,
        order=search.order,
        islands=search.islands,
        weak=search.weak,
        models=search.models,
        routes=search.routes,
    )

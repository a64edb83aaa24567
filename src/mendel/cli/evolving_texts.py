"""`mendel evolve FILE… --run CMD`: programs in any language, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mendel.bench.planning import Search
from mendel.cli.context import Session
from mendel.cli.wishing import Invocation, drawn
from mendel.contracts.errors import ConfigError
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.preparing import plan
from mendel.domains.texts.wishes import TextWish, drafted
from mendel.kernel.loading import load_selector
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


def text_plan(
    session: Session, wish: TextWish, settings: Settings, search: Search, seed: int | None
) -> Invocation[TextTask]:
    """The plan, with everything refused that can be before a database or a sandbox starts.

    Raises:
        ConfigError: something of it cannot be.
    """
    load_selector(search.selector)
    draft = drafted(wish, scrubber(settings))
    templates = templates_of(settings) if search.models else {}
    found = Invocation(plan(draft.model_copy(update={"templates": templates}), drawn(seed), search), settings)
    found.plan.draft()
    if not search.models:
        session.announce(OFFLINE_ONLY)
    return found

"""What texts add to `mendel evolve`: programs in any language, which a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from mendel.console.evolvable import Asked, Evolvable, Invocation, drawn
from mendel.console.session import Session
from mendel.contracts.errors import ConfigError
from mendel.domains.texts.models import TextTask
from mendel.domains.texts.preparing import plan as run_plan
from mendel.domains.texts.wishes import TextWish, drafted
from mendel.kernel.loading import load_selector
from mendel.settings import templates_of
from mendel.wiring import scrubber

OFFLINE_ONLY: Final = (
    "no model is asked: lines are deleted, swapped and copied, and numbers changed; with --models, models join"
    " (`mendel models list` shows which there are)"
)
_PANEL: Final = "Programs in any language, as text"

Run = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Builds and runs the program, behind the wall: 'node collatz.js'. Files that it names travel along."
        " MENDEL_SEED is a number that it may draw from, also written {seed} in the command.",
        rich_help_panel=_PANEL,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Reads what the program printed, and prints a number on its last line; more is better. Without it, speed"
        " counts, and the program has to print what the original prints.",
        rich_help_panel=_PANEL,
    ),
]
Minimize = Annotated[bool, typer.Option("--minimize", help="Less is better in the score.", rich_help_panel=_PANEL)]
HeldRun = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Run instead of --run by the gate and the audit only: more to do, say.",
        rich_help_panel=_PANEL,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        max=600,
        metavar="S",
        help="After how many seconds the original is given up (10); its processor time may be 5 s at most.",
        rich_help_panel=_PANEL,
    ),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option(min=16, max=1 << 20, metavar="MIB", help="What memory it may take (2048).", rich_help_panel=_PANEL),
]


def plan(
    session: Session,
    asked: Asked,
    *,
    run: Run = None,
    score: Score = None,
    minimize: Minimize = False,
    held_run: HeldRun = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
) -> Invocation[TextTask]:
    """The run that improves the files which are asked for.

    Raises:
        ConfigError: something of it cannot be.
    """
    _refuse_function(asked.targets)
    load_selector(asked.search.selector)
    wish = TextWish(
        files=tuple(map(Path, asked.targets)),
        more=asked.files,
        run=run or "",
        held_run=held_run,
        score=score,
        objective=asked.objective,
        maximize=not minimize,
        case_s=time_limit,
        memory_mb=memory_limit,
    )
    draft = drafted(wish, scrubber(asked.settings))
    templates = templates_of(asked.settings) if asked.search.models else {}
    draft = draft.model_copy(update={"templates": templates})
    found = Invocation(run_plan(draft, drawn(asked.seed), asked.search), asked.settings)
    found.plan.draft()
    if not asked.search.models:
        session.announce(OFFLINE_ONLY)
    return found


def _refuse_function(targets: tuple[str, ...]) -> None:
    """Make sure that files are named, and no function."""
    if not targets:
        raise ConfigError('--run needs the files that may change: mendel evolve FILE --run "COMMAND"')
    for target in targets:
        path, colon, name = target.rpartition(":")
        if colon and not Path(target).exists() and name.replace(".", "_").isidentifier():
            raise ConfigError(
                f"{target} names a function, and --run runs whole files: mendel evolve {path} --run …, where marks"
                " `mendel: evolve` and `mendel: end` say what of it may change; or leave --run away"
            )


EVOLVABLE: Final = Evolvable(
    plan=plan,
    help="With --run a program is text in any language: what it prints has to stay the same, or --score rates it.",
    examples=(
        'mendel evolve solve.c --run "gcc -O1 -o solve solve.c && ./solve" --models',
        'mendel evolve pack.js --run "node pack.js" --score "node score.js" --models',
    ),
    idle="is about programs that a command runs; say which: --run CMD",
    chosen_by="run",
)

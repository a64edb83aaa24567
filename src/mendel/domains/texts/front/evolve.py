"""The part of `mendel evolve` for texts: programs in any language that a command runs."""

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
    "no model is used: lines are deleted, swapped and copied, and numbers changed; --models adds models"
    " (`mendel models list` shows them)"
)
_PANEL: Final = "Programs in any language, as text"

Run = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Builds and runs the program in the sandbox: 'node collatz.js'. Files that it names are copied there."
        " MENDEL_SEED is a number for the program's randomness; {seed} in the command stands for it, too.",
        rich_help_panel=_PANEL,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Reads the program's output, and prints a number on its last line; more is better. Without it, speed"
        " counts, and the program must print what the original prints.",
        rich_help_panel=_PANEL,
    ),
]
Minimize = Annotated[bool, typer.Option("--minimize", help="Lower scores are better.", rich_help_panel=_PANEL)]
HeldRun = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Replaces --run for the gate and the audit only, with larger inputs, say.",
        rich_help_panel=_PANEL,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        max=600,
        metavar="S",
        help="Seconds until a run of the original is stopped (10); its processor time may be 5 s at most.",
        rich_help_panel=_PANEL,
    ),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option(min=16, max=1 << 20, metavar="MIB", help="Memory limit in MiB (2048).", rich_help_panel=_PANEL),
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
    """Return the run that improves the requested files.

    Raises:
        ConfigError: a part of the request is invalid.
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
    found.plan.draft()  # for its errors
    if not asked.search.models:
        session.announce(OFFLINE_ONLY)
    return found


def _refuse_function(targets: tuple[str, ...]) -> None:
    """Make sure that files are named, and no function."""
    if not targets:
        raise ConfigError('--run needs the files that may change: mendel evolve FILE --run "COMMAND"')
    for target in targets:
        path, colon, name = target.rpartition(":")
        if colon and not Path(target).exists() and name.replace(".", "_").isidentifier():  # file names may have colons
            raise ConfigError(
                f"{target} names a function, and --run runs whole files: mendel evolve {path} --run …, where marks"
                " `mendel: evolve` and `mendel: end` enclose what may change; or leave out --run"
            )


EVOLVABLE: Final = Evolvable(
    plan=plan,
    help="With --run a program is text in any language: its output must stay the same, or --score rates it.",
    examples=(
        'mendel evolve solve.c --run "gcc -O1 -o solve solve.c && ./solve" --models',
        'mendel evolve pack.js --run "node pack.js" --score "node score.js" --models',
    ),
    idle="is for programs that a command runs; give it with --run CMD",
    chosen_by="run",
)

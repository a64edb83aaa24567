"""Options that commands of several domains share."""

from __future__ import annotations

from typing import Annotated, Final

import typer

TASK: Final = "What is right and what is better (also in mendel.toml, as evolve.task)"
SEARCH: Final = "How to search"

Models = Annotated[
    bool | None,
    typer.Option(
        "--models/--offline",
        help="Let the models that mendel.toml names join the operators; if not said, as llm.profile says."
        " `mendel models list` shows them.",
        rich_help_panel=SEARCH,
    ),
]
Route = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROLE=PROVIDER/MODEL",
        help="Another model for a role, if llm.overrides allows it. May be repeated.",
        rich_help_panel=SEARCH,
    ),
]

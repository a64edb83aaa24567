"""Options shared by commands of several domains."""

from __future__ import annotations

from typing import Annotated, Final

import typer

TASK: Final = "What is right and what is better (also in mendel.toml, as evolve.task)"
SEARCH: Final = "How to search"

Models = Annotated[
    bool | None,
    typer.Option(
        "--models/--offline",
        help="Use the models in mendel.toml in addition to the operators. Default: as llm.profile says."
        " `mendel models list` shows them.",
        rich_help_panel=SEARCH,
    ),
]
Route = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROLE=PROVIDER/MODEL",
        help="Another model for a role, if llm.overrides allows it. Repeatable.",
        rich_help_panel=SEARCH,
    ),
]

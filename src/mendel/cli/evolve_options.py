"""The options of `mendel evolve`, grouped by topic; `mendel report` shares the options for outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mendel.bench.bounds import Bounds
from mendel.console.evolvable import evolvables
from mendel.console.options import SEARCH, TASK

_STOP: Final = "When to stop (at the first bound reached; without any, within two minutes)"
_RESULT: Final = "Output"

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE:FUNC | FILE…",
        help="The function to improve, or FILE:Class.method; if omitted, the one in mendel.toml. With --run, the files"
        " that may change.",
    ),
]

# --- when to stop ----------------------------------------------------------------------------------------

MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Total tokens for models (2,000,000).", rich_help_panel=_STOP),
]
MaxCost = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="DOLLARS", help="Total cost of models, in US dollars (5).", rich_help_panel=_STOP),
]
_METAVARS: Final = {"seconds": "S", "target": "GAIN", "budget": "ENERGY"}


def bounded(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter ``bounds`` of a command by one option per bound."""

    def taking(**given: Any) -> None:  # noqa: ANN401 - whatever options there are
        asked = {name: given.pop(name) for name in Bounds.model_fields}
        command(**given, bounds=Bounds.asked(asked, "--{}"))

    return _instead(command, taking, "bounds", [_bound(name) for name in Bounds.model_fields])


def extended(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter ``own`` of a command by the options of every domain that it can start runs of.

    The command receives their values as ``own``, by name. In its help, ``{domains}`` becomes the purpose of each domain
    and ``{examples}`` their examples.
    """
    among = evolvables()
    options = [each for one in among for each in one.options().values()]

    def taking(**given: Any) -> None:  # noqa: ANN401 - whatever options there are
        own = {each.name: given.pop(each.name) for each in options}
        command(**given, own=own)

    made = _instead(command, taking, "own", [each.replace(kind=Parameter.POSITIONAL_OR_KEYWORD) for each in options])
    uses = "\n\n".join(f"    {each}" for one in among for each in one.examples)
    told = cleandoc(command.__doc__ or "").replace("{examples}", uses)
    made.__doc__ = told.replace("{domains}", "\n\n".join(each.help for each in among))
    return made


def _instead(
    command: Callable[..., None], taking: Callable[..., None], name: str, options: Sequence[Parameter]
) -> Callable[..., None]:
    """Give ``taking`` the signature of ``command`` with ``options`` in place of the parameter ``name``, for Typer."""
    own = signature(command, eval_str=True)  # annotations are strings under `from __future__ import annotations`
    parameters: list[Parameter] = []
    for parameter in own.parameters.values():
        parameters += options if parameter.name == name else [parameter]
    taking.__name__, taking.__doc__, taking.__module__ = command.__name__, command.__doc__, command.__module__
    taking.__annotations__ = {each.name: each.annotation for each in parameters}
    taking.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]  # what Typer reads
    return taking


def _bound(name: str) -> Parameter:
    """Build the option of one bound from the bound's own range and description."""
    field = Bounds.model_json_schema()["properties"][name]
    kind = field["anyOf"][0]  # the other is null
    option = typer.Option(
        f"--{name}",
        min=kind.get("minimum"),
        metavar=_METAVARS.get(name, "N"),
        help=field["description"],
        rich_help_panel=_STOP,
    )
    plain = {"integer": int, "number": float, "string": str}[kind["type"]]
    return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation=Annotated[plain | None, option])


# --- correctness and objective ---------------------------------------------------------------------------

Objective = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Objective: speed (default), memory, size, opcodes, or the score from a task.py; several as speed,memory"
        " or, with weights, speed:2,size:1. With --run: speed or score.",
        rich_help_panel=TASK,
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Another imported file that may also change; with --run, a required file that stays unchanged. Can be"
        " repeated.",
        rich_help_panel=TASK,
    ),
]

# --- how to search ---------------------------------------------------------------------------------------

Seed = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Random seed; drawn at random if omitted.", rich_help_panel=SEARCH),
]
Population = Annotated[int, typer.Option(min=2, metavar="N", help="Population size.", rich_help_panel=SEARCH)]
IslandCount = Annotated[
    int,
    typer.Option(
        "--islands",
        min=1,
        metavar="N",
        help="Subpopulations that breed separately and occasionally receive the best of the next one.",
        rich_help_panel=SEARCH,
    ),
]
Selector = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Method that chooses parents (epsilon); `mendel plugin list` lists all.",
        rich_help_panel=SEARCH,
    ),
]
Order = Annotated[
    str,
    typer.Option(
        metavar="ORDER",
        help="Order of results: arrival (fastest), or birth (reproducible by seed with --objective opcodes).",
        rich_help_panel=SEARCH,
    ),
]
Slots = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Maximum operations in flight (4 per core).", rich_help_panel=SEARCH),
]
Backend = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Sandbox that runs the programs (native).", rich_help_panel=SEARCH),
]
Compare = Annotated[
    bool,
    typer.Option(
        "--best-of-n/--no-best-of-n",
        help="Afterwards run plain best-of-N for as long, as a baseline for the search.",
        rich_help_panel=SEARCH,
    ),
]

# --- output ----------------------------------------------------------------------------------------------

Out = Annotated[
    Path, typer.Option(metavar="FOLDER", help="Parent folder of the run's output.", rich_help_panel=_RESULT)
]
Apply = Annotated[bool, typer.Option("--apply", help="Write the winner into your file.", rich_help_panel=_RESULT)]
Commit = Annotated[
    bool,
    typer.Option(
        "--commit",
        help="Commit the winner on a new git branch, without checking it out.",
        rich_help_panel=_RESULT,
    ),
]

"""The options of `mendel evolve`, by what they are about; `mendel report` shares those about its outputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, cleandoc, signature
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mendel.bench.bounds import Bounds
from mendel.console.evolvable import evolvables
from mendel.console.options import SEARCH, TASK

_STOP: Final = "When to stop (the first that holds; without any, within two minutes)"
_RESULT: Final = "What comes of it"

Targets = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE:FUNC | FILE…",
        help="The function to improve, or FILE:Class.method; if none, the one that mendel.toml names. With --run, the"
        " files that may change.",
    ),
]

# --- when to stop ----------------------------------------------------------------------------------------

MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Tokens that models may take in all; 2,000,000.", rich_help_panel=_STOP),
]
MaxCost = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="DOLLARS", help="What models may cost in all; 5.", rich_help_panel=_STOP),
]
_METAVARS: Final = {"seconds": "S", "target": "GAIN", "budget": "ENERGY"}


def bounded(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each bound there is, instead of its parameter ``bounds``, which holds them all."""

    def taking(**given: Any) -> None:  # noqa: ANN401 - whatever options there are
        asked = {name: given.pop(name) for name in Bounds.model_fields}
        command(**given, bounds=Bounds.asked(asked, "--{}"))

    return _instead(command, taking, "bounds", [_bound(name) for name in Bounds.model_fields])


def extended(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of every domain that it can begin runs of, instead of its parameter ``own``.

    What was said of them is handed to it as ``own``, by name. In its help ``{domains}`` is what each domain is for, and
    ``{examples}`` how it is used.
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
    """``taking`` as it looks to Typer: ``command`` with ``options`` in the place of its parameter ``name``."""
    own = signature(command, eval_str=True)
    parameters: list[Parameter] = []
    for parameter in own.parameters.values():
        parameters += options if parameter.name == name else [parameter]
    taking.__name__, taking.__doc__, taking.__module__ = command.__name__, command.__doc__, command.__module__
    taking.__annotations__ = {each.name: each.annotation for each in parameters}
    taking.__signature__ = own.replace(parameters=parameters)  # type: ignore[attr-defined]
    return taking


def _bound(name: str) -> Parameter:
    """The option of one bound: its range and its description are those of the bound."""
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


# --- what is right and what is better --------------------------------------------------------------------

Objective = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="speed (default), memory, size, opcodes, or score of a task.py; several as speed,memory or, with weights,"
        " speed:2,size:1. With --run: speed or score.",
        rich_help_panel=TASK,
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Further files that it imports and that may be changed, too; with --run, files that it needs and that stay"
        " as they are. May be repeated.",
        rich_help_panel=TASK,
    ),
]

# --- how to search ---------------------------------------------------------------------------------------

Seed = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="The number behind every draw; drawn if not given.", rich_help_panel=SEARCH),
]
Population = Annotated[int, typer.Option(min=2, metavar="N", help="How many live at once.", rich_help_panel=SEARCH)]
IslandCount = Annotated[
    int,
    typer.Option(
        "--islands",
        min=1,
        metavar="N",
        help="Parts of the population that breed apart, now and then joined by the best of the next.",
        rich_help_panel=SEARCH,
    ),
]
Selector = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Who chooses parents (epsilon); `mendel plugin list` shows all.",
        rich_help_panel=SEARCH,
    ),
]
Order = Annotated[
    str,
    typer.Option(
        metavar="ORDER",
        help="arrival (fastest), or birth: with --objective opcodes the same seed then gives the same outcome.",
        rich_help_panel=SEARCH,
    ),
]
Slots = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Operations at once; 4 for each core if not given.", rich_help_panel=SEARCH),
]
Backend = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The sandbox in which programs run (native).", rich_help_panel=SEARCH),
]
Compare = Annotated[
    bool,
    typer.Option(
        "--best-of-n/--no-best-of-n",
        help="Then run plain best-of-N, as long again, to see what the search was worth.",
        rich_help_panel=SEARCH,
    ),
]

# --- what comes of it ------------------------------------------------------------------------------------

Out = Annotated[
    Path, typer.Option(metavar="FOLDER", help="Where the outputs go, in a folder for the run.", rich_help_panel=_RESULT)
]
Apply = Annotated[bool, typer.Option("--apply", help="Write the winner into your file.", rich_help_panel=_RESULT)]
Commit = Annotated[
    bool,
    typer.Option(
        "--commit",
        help="Commit the winner on a git branch of its own; you stay where you are.",
        rich_help_panel=_RESULT,
    ),
]

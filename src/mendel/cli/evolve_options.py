"""The options of `mendel evolve`, by what they are about; `mendel report` shares those about its outputs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mendel.bench.bounds import Bounds

_STOP: Final = "When to stop (the first that holds; without any, within two minutes)"
_TASK: Final = "What is right and what is better (also in mendel.toml, as evolve.task)"
_TEXT: Final = "Programs in any language, as text"
_SEARCH: Final = "How to search"
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

    @wraps(command)
    def taking(**given: Any) -> None:  # noqa: ANN401 - whatever options there are
        asked = {name: given.pop(name) for name in Bounds.model_fields}
        command(**given, bounds=Bounds.asked(asked, "--{}"))

    own = signature(command, eval_str=True)
    parameters: list[Parameter] = []
    for parameter in own.parameters.values():
        parameters += map(_bound, Bounds.model_fields) if parameter.name == "bounds" else [parameter]
    del taking.__wrapped__  # its annotations are no longer what is asked for
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
        rich_help_panel=_TASK,
    ),
]
Task = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Your own task.py: how inputs are made, properties, relations, sizes, a score.",
        rich_help_panel=_TASK,
    ),
]
Tests = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="pytest files that a candidate must pass; calls in them are examples of inputs. May be repeated.",
        rich_help_panel=_TASK,
    ),
]
Files = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Further files that it imports and that may be changed, too; with --run, files that it needs and that stay"
        " as they are. May be repeated.",
        rich_help_panel=_TASK,
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PACKAGE",
        help="A package that programs may import beyond the standard library. May be repeated.",
        rich_help_panel=_TASK,
    ),
]

# --- programs in any language ----------------------------------------------------------------------------

Run = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Builds and runs the program, behind the wall: 'node collatz.js'. Files that it names travel along."
        " MENDEL_SEED is a number that it may draw from, also written {seed} in the command.",
        rich_help_panel=_TEXT,
    ),
]
Score = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Reads what the program printed, and prints a number on its last line; more is better. Without it, speed"
        " counts, and the program has to print what the original prints.",
        rich_help_panel=_TEXT,
    ),
]
Minimize = Annotated[bool, typer.Option("--minimize", help="Less is better in the score.", rich_help_panel=_TEXT)]
HeldRun = Annotated[
    str | None,
    typer.Option(
        metavar="CMD",
        help="Run instead of --run by the gate and the audit only: more to do, say.",
        rich_help_panel=_TEXT,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        min=0.1,
        max=600,
        metavar="S",
        help="After how many seconds the original is given up (10); its processor time may be 5 s at most.",
        rich_help_panel=_TEXT,
    ),
]
MemoryLimit = Annotated[
    int | None,
    typer.Option(min=16, max=1 << 20, metavar="MIB", help="What memory it may take (2048).", rich_help_panel=_TEXT),
]

# --- how to search ---------------------------------------------------------------------------------------

Seed = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="The number behind every draw; drawn if not given.", rich_help_panel=_SEARCH),
]
Population = Annotated[int, typer.Option(min=2, metavar="N", help="How many live at once.", rich_help_panel=_SEARCH)]
IslandCount = Annotated[
    int,
    typer.Option(
        "--islands",
        min=1,
        metavar="N",
        help="Parts of the population that breed apart, now and then joined by the best of the next.",
        rich_help_panel=_SEARCH,
    ),
]
Archive = Annotated[
    str | None,
    typer.Option(
        metavar="AXES",
        help="Keep the best of each kind alive, as told apart by speed, memory, size, age or opcodes: speed,size;"
        " speed:20 has 20 bins, and speed,size,cvt:64 has 64 cells instead of a grid.",
        rich_help_panel=_SEARCH,
    ),
]
Selector = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Who chooses parents (epsilon); `mendel plugin list` shows all.", rich_help_panel=_SEARCH
    ),
]
Mutator = Annotated[
    str,
    typer.Option(metavar="NAME", help="Who varies programs; `mendel plugin list` shows all.", rich_help_panel=_SEARCH),
]
Models = Annotated[
    bool | None,
    typer.Option(
        "--models/--offline",
        help="Let the models that mendel.toml names join the operators; if not said, as llm.profile says."
        " `mendel models list` shows them.",
        rich_help_panel=_SEARCH,
    ),
]
Route = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ROLE=PROVIDER/MODEL",
        help="Another model for a role, if llm.overrides allows it. May be repeated.",
        rich_help_panel=_SEARCH,
    ),
]
Order = Annotated[
    str,
    typer.Option(
        metavar="ORDER",
        help="arrival (fastest), or birth: with --objective opcodes the same seed then gives the same outcome.",
        rich_help_panel=_SEARCH,
    ),
]
Slots = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Operations at once; 4 for each core if not given.", rich_help_panel=_SEARCH),
]
Backend = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The sandbox in which programs run (native).", rich_help_panel=_SEARCH),
]
Compare = Annotated[
    bool,
    typer.Option(
        "--best-of-n/--no-best-of-n",
        help="Then run plain best-of-N, as long again, to see what the search was worth.",
        rich_help_panel=_SEARCH,
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

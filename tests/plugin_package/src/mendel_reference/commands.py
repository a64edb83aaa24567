"""The command that the reference domain brings."""

from __future__ import annotations

from math import dist
from typing import Annotated

import typer

from mendel.console.session import JsonFlag, session_of


def distance(
    context: typer.Context,
    point: Annotated[list[float], typer.Argument(help="Where the point lies.")],
    json: JsonFlag = False,
) -> None:
    """How far a point is from the origin."""
    session = session_of(context)
    far = dist(point, [0.0] * len(point))
    if json:
        session.answer({"distance": far})
    else:
        session.out.print(f"{far:g}")

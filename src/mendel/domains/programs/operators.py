"""The ways of varying a program, as the kernel knows them: operators that need nobody, and models that are asked."""

from __future__ import annotations

from typing import Final

from mendel.bench.operators import asking
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.view import SITES
from mendel.selection.operators import Operator

LIBRARY: Final = "library"
CROSSOVER: Final = "crossover"


def operators(vary: str, cross: str, ask: str) -> tuple[Operator, ...]:
    """Every operator of the catalogue at every class of places, the library's, crossover, and the models'."""
    single = (Operator(name=name, step=vary, weight=each.weight, sites=SITES) for name, each in OPERATORS.items())
    library = Operator(name=LIBRARY, step=vary, weight=3.0)
    crossed = Operator(name=CROSSOVER, step=cross, parents=2, mode="crossover", weight=1.0)
    return (*single, library, crossed, *asking(ask))

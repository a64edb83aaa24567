"""The ways of varying a program, as the kernel knows them: operators that need nobody, and models that are asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mendel.breeding.asking import FORMS
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.view import SITES
from mendel.contracts.model_plans import RolePlan
from mendel.selection.operators import Operator

LIBRARY: Final = "library"
CROSSOVER: Final = "crossover"
INSPIRATIONS: Final = 2


def operators(vary: str, cross: str, ask: str) -> tuple[Operator, ...]:
    """Every operator of the catalogue at every class of places, the library's, crossover, and the models'."""
    single = (Operator(name=name, step=vary, weight=each.weight, sites=SITES) for name, each in OPERATORS.items())
    library = Operator(name=LIBRARY, step=vary, weight=3.0)
    crossed = Operator(name=CROSSOVER, step=cross, parents=2, mode="crossover", weight=1.0)
    asked = (Operator(name=name, step=ask, inspirations=INSPIRATIONS) for name in FORMS)
    return (*single, library, crossed, *asked)


def without_models(declared: Iterable[Operator]) -> tuple[Operator, ...]:
    """Those that need nobody."""
    return tuple(each for each in declared if each.name not in FORMS)


def with_models(declared: Sequence[Operator], role: RolePlan, share: float) -> tuple[Operator, ...]:
    """All of them; each source of models is a site of those that ask one, so that a run learns whom to ask.

    Models begin with that ``share`` of all births, and what they gain for what they cost moves it; 1 leaves the others
    out.
    """
    alone = share >= 1.0
    offline = without_models(declared)
    weight = 1.0 if alone else share / (1.0 - share) * sum(each.weight for each in offline) / len(FORMS)
    names = tuple(source.name for source in role.sources)
    weights = tuple(source.weight for source in role.sources)
    update = {"sites": names, "site_weights": weights, "weight": weight}
    asked = [each.model_copy(update=update) for each in declared if each.name in FORMS]
    return (*(() if alone else offline), *asked)

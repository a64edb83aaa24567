"""The ways of varying a program, as the kernel knows them: operators that need nobody, and models that are asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.patches.outcomes import Form
from mendel.breeding.view import SITES
from mendel.contracts.model_plans import RolePlan
from mendel.selection.operators import Operator

LIBRARY: Final = "library"
CROSSOVER: Final = "crossover"
FORMS: Final[Mapping[str, Form]] = {"model_replace": "replace", "model_diff": "diff", "model_rewrite": "rewrite"}
"""Operators that ask a model, and in which form it answers."""
MODEL_SHARE: Final = 0.25
"""The part of all births that models begin with; what they gain for what they cost moves it."""
INSPIRATIONS: Final = 2


def operators(vary: str, cross: str, ask: str) -> tuple[Operator, ...]:
    """Every operator of the catalogue at every class of places, the library's, crossover, and the models'."""
    single = (Operator(name=name, step=vary, weight=each.weight, sites=SITES) for name, each in OPERATORS.items())
    library = Operator(name=LIBRARY, step=vary, weight=3.0)
    crossed = Operator(name=CROSSOVER, step=cross, parents=2, mode="crossover", weight=1.0)
    offline = (*single, library, crossed)
    each = MODEL_SHARE / (1.0 - MODEL_SHARE) * sum(operator.weight for operator in offline) / len(FORMS)
    asked = (Operator(name=name, step=ask, weight=each, inspirations=INSPIRATIONS) for name in FORMS)
    return (*offline, *asked)


def without_models(declared: Iterable[Operator]) -> tuple[Operator, ...]:
    """Those that need nobody."""
    return tuple(each for each in declared if each.name not in FORMS)


def with_models(declared: Sequence[Operator], role: RolePlan) -> tuple[Operator, ...]:
    """All of them; each source of models is a site of those that ask one, so that a run learns whom to ask."""
    names = tuple(source.name for source in role.sources)
    weights = tuple(source.weight for source in role.sources)
    update = {"sites": names, "site_weights": weights}
    return tuple(each.model_copy(update=update) if each.name in FORMS else each for each in declared)

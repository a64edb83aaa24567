"""The ways of varying a text, as the kernel knows them: an edit of lines that needs nobody, and models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mendel.breeding.asking import FORMS
from mendel.contracts.model_plans import RolePlan
from mendel.selection.operators import Operator

TEXT_LINE: Final = "text_line"
INSPIRATIONS: Final = 2


def operators(vary: str, ask: str) -> tuple[Operator, ...]:
    """All of them as likely as each other, until the run knows better."""
    asked = (Operator(name=name, step=ask, inspirations=INSPIRATIONS) for name in FORMS)
    return (Operator(name=TEXT_LINE, step=vary), *asked)


def without_models(declared: Iterable[Operator]) -> tuple[Operator, ...]:
    """Those that need nobody."""
    return tuple(each for each in declared if each.name not in FORMS)


def with_models(declared: Sequence[Operator], role: RolePlan) -> tuple[Operator, ...]:
    """All of them; each source of models is a site of those that ask one, so that a run learns whom to ask."""
    update = {
        "sites": tuple(source.name for source in role.sources),
        "site_weights": tuple(source.weight for source in role.sources),
    }
    return tuple(each.model_copy(update=update) if each.name in FORMS else each for each in declared)

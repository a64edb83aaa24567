"""Models as variation operators of source: which operators use them, and what a model sees and may not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from mendel.bench.records import SourceTraits
from mendel.breeding.asking import FORMS
from mendel.breeding.prompts.inputs import Inspiration
from mendel.contracts.base import StepName
from mendel.contracts.model_plans import RolePlan
from mendel.contracts.work import Work
from mendel.selection.operators import Operator

INSPIRATIONS: Final = 2


def asking(step: StepName) -> Iterator[Operator]:
    """Yield the operators that use a model, one for each form of answer."""
    return (Operator(name=name, step=step, inspirations=INSPIRATIONS) for name in FORMS)


def without_models(declared: Iterable[Operator]) -> tuple[Operator, ...]:
    """Return the operators that need no model."""
    return tuple(each for each in declared if each.name not in FORMS)


def with_models(declared: Sequence[Operator], role: RolePlan, share: float | None = None) -> tuple[Operator, ...]:
    """Return all operators; every source of models is a site of those that use one, so that a run learns which to use.

    Operators with models begin with a ``share`` of all births, which then follows their gain for their cost. A share
    of 1 leaves out all other operators; None keeps every operator's own weight.
    """
    offline = () if share is not None and share >= 1.0 else without_models(declared)
    update: dict[str, object] = {
        "sites": tuple(source.name for source in role.sources),
        "site_weights": tuple(source.weight for source in role.sources),
    }
    if share is not None:
        update["weight"] = share / (1.0 - share) * sum(each.weight for each in offline) / len(FORMS) if offline else 1.0
    return (*offline, *(each.model_copy(update=update) for each in declared if each.name in FORMS))


# --- what a model sees and may not change -----------------------------------------------------------------


def inspirations(parent: SourceTraits, work: Work) -> tuple[Inspiration, ...]:
    """Return other good candidates with their fitness, without copies of the parent."""
    found = []
    for each in work.material.inspirations:
        files = type(parent).model_validate(each.traits.data).files
        if files != parent.files:
            found.append(Inspiration(files, {"fitness": each.total} if each.total is not None else {}))
    return tuple(found)


def complaints(
    editable: Iterable[str], wrong: Callable[[str, str], str | None], files: Mapping[str, str]
) -> Sequence[str]:
    """Return why a model's files are not acceptable; ``wrong`` returns the reason for a path and its text."""
    found = [wrong(path, files[path]) if path in files else f"{path} is gone; it has to stay" for path in editable]
    return [each for each in found if each is not None]


def repairs_of(parent: SourceTraits, work: Work) -> int:
    """Return the number of repairs in a row for a child of this operation."""
    return parent.repairs + 1 if work.operation.inputs is not None else 0

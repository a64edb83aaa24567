"""Repairs: a candidate that is nearly right and would be ahead is varied once more, where its fault probably is.

Rejected: trying several repairs within one step. Each would be a candidate that no cap counts (rule 1).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from mendel.bench.source_domain import MODEL_MENDER
from mendel.bench.workbench import Workbench
from mendel.breeding.catalogue import OPERATORS
from mendel.breeding.expressions import CONSTANT, EXPRESSION, OPERATOR
from mendel.breeding.library.observing import LOOKING
from mendel.breeding.localisation import LEAST, suspicion
from mendel.breeding.normal_form import fingerprint
from mendel.breeding.operators import Variation, vary
from mendel.breeding.statements import DELETE, INSERT, MOVE, REPLACE, SWAP
from mendel.breeding.view import View
from mendel.contracts.entropy import Entropy
from mendel.contracts.evaluations import Limits
from mendel.ports.sandbox import Sandbox

MENDERS: Final = tuple(each.name for each in (DELETE, INSERT, SWAP, REPLACE, MOVE, OPERATOR, CONSTANT, EXPRESSION))
"""Operators that change a program's behaviour; the others are made to preserve it."""
MODEL_REPAIRS: Final = 0.5
"""Share of the repairs that a model makes, if the run may use models."""
SHARPNESS: Final = 4
"""Exponent that widens the gaps in suspicion. If a quarter of the cases fail, a line that all cases run is half as
suspicious as one that only these run, and there are many such lines: their share of the tries must be smaller."""
FAILING: Final = 10
PASSING: Final = 40
"""Maximum numbers of observed cases; the more of them pass, the less suspicious are the lines that all cases run."""


def mender(entropy: Entropy, *, asks_models: bool) -> str:
    """Draw the operator that repairs a candidate."""
    if asks_models and entropy.unit("asks") < MODEL_REPAIRS:
        return MODEL_MENDER
    weights = [OPERATORS[name].weight for name in MENDERS]
    return MENDERS[entropy.weighted(weights, "mender")]


async def suspected(
    bench: Workbench, view: View, failing: tuple[int, ...], sandbox: Sandbox, limits: Limits = LOOKING
) -> dict[int, float]:
    """Return the suspicion of each line, from some inputs on which the program fails and some on which it passes.

    Raises:
        SandboxError: the sandbox failed; never because of the program.
    """
    wrong = [number for number in failing if number < len(bench.seen)]
    right = sorted(set(range(len(bench.seen))) - set(wrong))
    watched = [*_spread(wrong, FAILING), *_spread(right, PASSING)]
    inputs = [bench.seen[number].args for number in watched]
    passed = [number not in set(wrong) for number in watched]
    found = await suspicion(
        view, inputs, passed, sandbox, entry=bench.task.function, limits=limits, grants=bench.grants
    )
    return sharpened(found)


def sharpened(suspected: Mapping[int, float]) -> dict[int, float]:
    """Return the same order with wider gaps; every line keeps a minimum."""
    return {line: max(LEAST, share**SHARPNESS) for line, share in suspected.items()}


def mended(view: View, name: str, entropy: Entropy, *, avoiding: Collection[str] = ()) -> Variation | None:
    """Edit the view once by the operator, or else by another, with a normal form that ``avoiding`` does not contain."""
    others = entropy.sample(MENDERS, len(MENDERS), "menders")  # in random order
    for place, operator in enumerate(dict.fromkeys([name, *others])):
        made = vary(view, OPERATORS[operator], entropy.child("mend", place)) if operator in OPERATORS else None
        if made is not None and fingerprint(made.code) not in avoiding:
            return made
    return None


def _spread(numbers: list[int], most: int) -> list[int]:
    """Return at most ``most`` of the numbers, evenly spaced, beginning with the first."""
    return numbers[:: max(1, -(-len(numbers) // most))]  # the step is rounded up, so that at most `most` remain

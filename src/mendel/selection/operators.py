"""Operators: the ways to make a child, and how often each is taken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, StepName
from mendel.contracts.entropy import Entropy
from mendel.selection.selectors import BestSoFar, Outcome


class Operator(Contract):
    """A way to make a child from ``parents`` parents, performed as ``step``. ``mode`` says how several become one."""

    name: Name
    step: StepName
    parents: Annotated[int, Field(ge=1, le=8)] = 1
    weight: Annotated[float, Field(gt=0.0)] = 1.0
    mode: Literal["fusion", "crossover", "output_synthesis"] | None = None

    @model_validator(mode="after")
    def _several_parents_need_a_mode(self) -> Self:
        if (self.mode is not None) != (self.parents >= 2):
            raise ValueError(f"a mode is for two parents or more; {self.name} has {self.parents} and mode {self.mode}")
        return self


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an operator was tried, and how often its child was fitter than everything before it."""

    tries: int = 0
    improvements: int = 0


class OperatorWeights:
    """Draws operators by their declared weights, and counts what each of them led to.

    The memory rule of :class:`~mendel.selection.selectors.Selector` holds here too. The counts do not move the
    weights yet.

    Raises:
        ValueError: two operators have the same name.
    """

    def __init__(self, operators: Iterable[Operator]) -> None:
        self._operators = tuple(operators)
        self._tallies = {operator.name: Tally() for operator in self._operators}
        self._best = BestSoFar()
        if len(self._tallies) < len(self._operators):
            raise ValueError(f"operators have different names, not {', '.join(each.name for each in self._operators)}")

    def draw(self, eligible: int, entropy: Entropy) -> Operator | None:
        """An operator that ``eligible`` parents are enough for, or none if each needs more."""
        possible = [operator for operator in self._operators if operator.parents <= eligible]
        if not possible:
            return None
        return possible[entropy.weighted([operator.weight for operator in possible], "operator")]

    def feedback(self, outcome: Outcome) -> None:
        """Count an outcome. One without an operator, or with a stranger's, only sets the mark to be beaten."""
        improved = self._best.improved_by(outcome)
        before = self._tallies.get(outcome.operator or "")
        if outcome.operator is not None and before is not None:
            self._tallies[outcome.operator] = Tally(before.tries + 1, before.improvements + improved)

    def tally(self, name: str) -> Tally:
        """What was counted for an operator.

        Raises:
            KeyError: there is no operator of that name.
        """
        return self._tallies[name]

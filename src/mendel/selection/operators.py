"""Operators: the ways to make a child, and how often each is taken, and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, StepName
from mendel.contracts.entropy import Entropy
from mendel.selection.bandit import ArmKey, Bandit
from mendel.selection.selectors import BestSoFar, Outcome


class Operator(Contract):
    """A way to make a child from ``parents`` parents, performed as ``step``. ``mode`` says how several become one.

    ``sites`` are the classes of places where it can be tried ("loops", "hot_lines"), or whom it can ask, each as likely
    as the others, or as ``site_weights`` say, until the run knows better; its handler finds the one that was drawn in
    the operation. ``inspirations`` are how many others it is shown beside the parents, to learn from.
    """

    name: Name
    step: StepName
    parents: Annotated[int, Field(ge=1, le=8)] = 1
    weight: Annotated[float, Field(gt=0.0)] = 1.0
    mode: Literal["fusion", "crossover", "output_synthesis"] | None = None
    sites: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    site_weights: tuple[Annotated[float, Field(gt=0.0)], ...] = ()
    inspirations: Annotated[int, Field(ge=0, le=16)] = 0

    @model_validator(mode="after")
    def _several_parents_need_a_mode(self) -> Self:
        if (self.mode is not None) != (self.parents >= 2):
            raise ValueError(f"a mode is for two parents or more; {self.name} has {self.parents} and mode {self.mode}")
        if len(set(self.sites)) < len(self.sites):
            raise ValueError(f"sites have different names, not {', '.join(self.sites)}")
        if self.site_weights and len(self.site_weights) != len(self.sites):
            raise ValueError(f"{len(self.sites)} sites do not have {len(self.site_weights)} weights")
        return self

    def share(self, site: str | None) -> float:
        """The part of its weight that an arm begins with."""
        if site is None:
            return self.weight
        weights = self.site_weights or (1.0,) * len(self.sites)
        return self.weight * weights[self.sites.index(site)] / sum(weights)


class Arm(NamedTuple):
    """An operator, and the class of places where it is tried if it has such."""

    operator: Operator
    site: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an operator was tried, and how often its child was fitter than everything before it."""

    tries: int = 0
    improvements: int = 0


class OperatorWeights:
    """Draws operators and sites; what gained much fitness for its cost is drawn more often.

    The declared weights are what it begins with and never quite leaves; :class:`~mendel.selection.bandit.Bandit` says
    how it learns. The memory rule of :class:`~mendel.selection.selectors.Selector` holds here too.

    Raises:
        ValueError: two operators have the same name.
    """

    def __init__(self, operators: Iterable[Operator]) -> None:
        self._operators = tuple(operators)
        self._tallies = {operator.name: Tally() for operator in self._operators}
        self._best = BestSoFar()
        if len(self._tallies) < len(self._operators):
            raise ValueError(f"operators have different names, not {', '.join(each.name for each in self._operators)}")
        self._arms = tuple(arm for operator in self._operators for arm in _arms(operator))
        self._most_parents = max((operator.parents for operator in self._operators), default=0)
        self._by_eligible: dict[int, tuple[list[Arm], list[ArmKey]]] = {}
        self._bandit = Bandit({_key(arm): arm.operator.share(arm.site) for arm in self._arms})

    def draw(self, eligible: int, entropy: Entropy) -> Arm | None:
        """An operator that ``eligible`` parents are enough for, and its site; none if each needs more."""
        possible, keys = self._possible(eligible)
        return possible[entropy.weighted(self._bandit.weights(keys), "operator")] if possible else None

    def _possible(self, eligible: int) -> tuple[list[Arm], list[ArmKey]]:
        parents = min(eligible, self._most_parents)
        if parents not in self._by_eligible:
            arms = [arm for arm in self._arms if arm.operator.parents <= parents]
            self._by_eligible[parents] = arms, [_key(arm) for arm in arms]
        return self._by_eligible[parents]

    def feedback(self, outcome: Outcome) -> None:
        """Learn from an outcome. One without an operator, or with a stranger's, only sets the mark to be beaten."""
        improved = self._best.improved_by(outcome)
        before = self._tallies.get(outcome.operator or "")
        if outcome.operator is None or before is None:
            return
        self._tallies[outcome.operator] = Tally(before.tries + 1, before.improvements + improved)
        if outcome.gain is not None:
            self._bandit.tell(outcome.operator, outcome.site or "", outcome.gain, outcome.cost)

    def tally(self, name: str) -> Tally:
        """What was counted for an operator.

        Raises:
            KeyError: there is no operator of that name.
        """
        return self._tallies[name]


def _arms(operator: Operator) -> list[Arm]:
    return [Arm(operator, site) for site in operator.sites] or [Arm(operator)]


def _key(arm: Arm) -> ArmKey:
    """An operator without sites has one place, which has no name."""
    return arm.operator.name, arm.site or ""

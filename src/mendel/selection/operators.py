"""Operators: ways to make a child, and the bandit that decides how often each is used, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, StepName
from mendel.contracts.entropy import Entropy
from mendel.selection.selectors import BestSoFar, Outcome

# A bandit over arms in groups: arms with a high gain for their cost are used more often.


_FLOOR: Final = 0.2
_PRIOR_TRIES: Final = 5.0
_SHORTEST: Final = 100
_SMALLEST: Final = 1e-150
_LARGEST: Final = 1e150
_HEAVIEST: Final = 1e20

ArmKey = tuple[str, str]
"""A group and a place in it: an operator and a site."""


@dataclass(slots=True)
class Earned:
    """Discounted sums over tries: their number, cost and gain."""

    tries: float = 0.0
    cost: float = 0.0
    gain: float = 0.0

    def scale(self, factor: float) -> None:
        """Multiply all sums by ``factor``."""
        self.tries *= factor
        self.cost *= factor
        self.gain *= factor

    def add(self, gain: float, cost: float, weight: float) -> None:
        """Add a try with a weight."""
        self.tries += weight
        self.cost += weight * cost
        self.gain += weight * gain

    def rate(self, expected: float, pseudo_cost: float) -> float:
        """Return the gain per cost, as if ``pseudo_cost`` had been spent before at the ``expected`` rate."""
        return (self.gain + expected * pseudo_cost) / (self.cost + pseudo_cost)


class Bandit:
    """Weights of arms (group, place): exponential weights on the log of an estimated rate of gain.

    An arm's weight is its declared weight times the square of its rate relative to the overall rate. A rate is gain per
    cost. It is shrunk towards its group's rate, and that towards the overall rate, with the weight of ``_PRIOR_TRIES``
    tries. Gains are discounted: old ones fade over ``_SHORTEST`` tries, or ten per arm if that is longer. Every arm
    keeps at least ``_FLOOR`` of its declared share. Without any gain so far, the weights are exactly the declared ones.

    The square of a ratio is exp(2 · log ratio) without a logarithm: plain arithmetic gives the same result on every
    machine, and the unit of fitness does not matter. Rejected: Thompson sampling, which needs a likelihood. Gains are
    mostly zero and otherwise of any size, and a wrong likelihood leads to overconfidence.

    Reading the weights costs the number of arms, adding a try does not: instead of reducing all earlier sums, each new
    try gets a larger weight, until the numbers grow too large.
    """

    def __init__(self, arms: Mapping[ArmKey, float]) -> None:
        self._declared = dict(arms)
        self._arms = {arm: Earned() for arm in arms}
        self._groups = {group: Earned() for group, _ in arms}
        self._alone = {group: sum(each == group for each, _ in arms) == 1 for group in self._groups}
        self._all = Earned()
        self._growth = 1.0 / (1.0 - 1.0 / max(_SHORTEST, 10 * len(arms)))
        self._weight = 1.0

    def weights(self, arms: Sequence[ArmKey]) -> list[float]:
        """Return the probability of each of ``arms``, up to a common factor."""
        declared = [self._declared[arm] for arm in arms]
        if self._all.gain < _SMALLEST * self._weight:
            return declared
        learned = [weight * self._lead(arm) ** 2 for weight, arm in zip(declared, arms, strict=True)]
        exchange = total(declared) / total(learned)
        return [
            _FLOOR * prior + (1.0 - _FLOOR) * exchange * weight for prior, weight in zip(declared, learned, strict=True)
        ]

    def tell(self, group: str, place: str, gain: float, cost: float) -> None:
        """Record a try; at an undeclared place it counts only for its group.

        Raises:
            KeyError: there is no such group.
        """
        told = self._groups[group]
        self._weight *= self._growth
        gain = min(gain, _LARGEST)  # extreme values would overflow the sums or the ratios
        cost = min(max(cost, _SMALLEST), _LARGEST)
        told.add(gain, cost, self._weight)
        self._all.add(gain, cost, self._weight)
        if (arm := self._arms.get((group, place))) is not None:
            arm.add(gain, cost, self._weight)
        if self._weight > _HEAVIEST:
            self._rescale()

    def _rescale(self) -> None:
        """Scale all sums so that a new try has the weight 1 again."""
        for earned in (self._all, *self._groups.values(), *self._arms.values()):
            earned.scale(1.0 / self._weight)
        self._weight = 1.0

    def _lead(self, arm: ArmKey) -> float:
        """Return the arm's rate of gain relative to the overall rate."""
        overall = self._all.gain / self._all.cost
        pseudo_cost = _PRIOR_TRIES * self._weight * self._all.cost / self._all.tries
        rate = self._groups[arm[0]].rate(overall, pseudo_cost)
        # An arm that is its whole group has the same data: shrinking it again would count the data twice.
        if not self._alone[arm[0]]:
            rate = self._arms[arm].rate(rate, pseudo_cost)
        return rate / overall


def total(numbers: Sequence[float]) -> float:
    """Sum numbers from left to right; the result of Python's ``sum`` depends on its version."""
    result = 0.0
    for number in numbers:
        result += number
    return result


class Operator(Contract):
    """A way to make a child from ``parents`` parents, performed as ``step``; ``mode`` tells how to combine several.

    ``sites`` are the classes of places where it can be tried ("loops", "hot_lines"), or the sources it can call. At
    first they are equally likely, or weighted by ``site_weights``; then the run learns. The handler finds the drawn
    site in the operation. An operator with weight 0 is never drawn, and only used when ``route`` returns a ``Vary``.
    ``inspirations`` is the number of other genomes that it receives in addition to the parents, to learn from.
    """

    name: Name
    step: StepName
    parents: Annotated[int, Field(ge=1, le=8)] = 1
    weight: Annotated[float, Field(ge=0.0)] = 1.0
    mode: Literal["fusion", "crossover", "output_synthesis"] | None = None
    sites: Annotated[tuple[Name, ...], Field(max_length=64)] = ()
    site_weights: tuple[Annotated[float, Field(gt=0.0)], ...] = ()
    inspirations: Annotated[int, Field(ge=0, le=16)] = 0

    @model_validator(mode="after")
    def _several_parents_need_a_mode(self) -> Self:
        if (self.mode is not None) != (self.parents >= 2):
            raise ValueError(
                f"the operator {self.name} has {self.parents} parents and mode {self.mode}; a mode is required with two"
                " or more parents, and not allowed with one"
            )
        if len(set(self.sites)) < len(self.sites):
            raise ValueError(f"the sites of {self.name} must have different names, not {', '.join(self.sites)}")
        if self.site_weights and len(self.site_weights) != len(self.sites):
            raise ValueError(f"{self.name} has {len(self.sites)} sites but {len(self.site_weights)} site_weights")
        return self

    def share(self, site: str | None) -> float:
        """Return the initial weight of an arm: the operator's weight, divided between its sites."""
        if site is None:
            return self.weight
        weights = self.site_weights or (1.0,) * len(self.sites)
        return self.weight * weights[self.sites.index(site)] / sum(weights)


class Arm(NamedTuple):
    """An operator, and the class of places where it is tried, if it has sites."""

    operator: Operator
    site: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of an operator's tries, and of its children that were fitter than everything before."""

    tries: int = 0
    improvements: int = 0


class OperatorWeights:
    """Draws operators and sites; those with a high gain of fitness for their cost are drawn more often.

    It starts with the declared weights, which always keep some influence; :class:`Bandit` describes how it learns. The
    memory rule of :class:`~mendel.selection.selectors.Selector` applies here too.

    Raises:
        ValueError: two operators have the same name.
    """

    def __init__(self, operators: Iterable[Operator]) -> None:
        self._operators = tuple(operators)
        self._tallies = {operator.name: Tally() for operator in self._operators}
        self._best = BestSoFar()
        if len(self._tallies) < len(self._operators):
            raise ValueError(f"operators need different names, not {', '.join(each.name for each in self._operators)}")
        self._arms = tuple(arm for operator in self._operators for arm in _arms(operator))
        self._most_parents = max((operator.parents for operator in self._operators), default=0)
        self._by_eligible: dict[int, tuple[list[Arm], list[ArmKey]]] = {}
        self._bandit = Bandit({_key(arm): arm.operator.share(arm.site) for arm in self._arms})

    def draw(self, eligible: int, entropy: Entropy) -> Arm | None:
        """Draw an operator for which ``eligible`` parents suffice, and its site; None if each needs more."""
        possible, keys = self._possible(eligible)
        return possible[entropy.weighted(self._bandit.weights(keys), "operator")] if possible else None

    def _possible(self, eligible: int) -> tuple[list[Arm], list[ArmKey]]:
        parents = min(eligible, self._most_parents)  # bounds the number of cache entries
        if parents not in self._by_eligible:
            arms = [arm for arm in self._arms if arm.operator.parents <= parents and arm.operator.weight > 0.0]
            self._by_eligible[parents] = arms, [_key(arm) for arm in arms]
        return self._by_eligible[parents]

    def feedback(self, outcome: Outcome) -> None:
        """Learn from an outcome; without an operator, or with an unknown one, it only updates the best fitness."""
        improved = self._best.improved_by(outcome)
        before = self._tallies.get(outcome.operator or "")
        if outcome.operator is None or before is None:
            return
        self._tallies[outcome.operator] = Tally(before.tries + 1, before.improvements + improved)
        if outcome.gain is not None:
            self._bandit.tell(outcome.operator, outcome.site or "", outcome.gain, outcome.cost)

    def tally(self, name: str) -> Tally:
        """Return the counts of an operator.

        Raises:
            KeyError: there is no operator with that name.
        """
        return self._tallies[name]


def _arms(operator: Operator) -> list[Arm]:
    return [Arm(operator, site) for site in operator.sites] or [Arm(operator)]


def _key(arm: Arm) -> ArmKey:
    """Return the arm's key; an operator without sites has a single place with an empty name."""
    return arm.operator.name, arm.site or ""

"""Operators: the ways to make a child, and the bandit that decides how often each is taken, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from mendel.contracts.base import Contract, Name, StepName
from mendel.contracts.entropy import Entropy
from mendel.selection.selectors import BestSoFar, Outcome

# A bandit over arms in groups: what gains much for what it costs is taken more often.


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
    """Discounted sums over tries: how many, what they cost, and what they gained."""

    tries: float = 0.0
    cost: float = 0.0
    gain: float = 0.0

    def scale(self, factor: float) -> None:
        """Count everything so far for less."""
        self.tries *= factor
        self.cost *= factor
        self.gain *= factor

    def add(self, gain: float, cost: float, weight: float) -> None:
        """Count a try."""
        self.tries += weight
        self.cost += weight * cost
        self.gain += weight * gain

    def rate(self, expected: float, pseudo_cost: float) -> float:
        """Gain per cost, as if ``pseudo_cost`` had been spent before at the ``expected`` rate."""
        return (self.gain + expected * pseudo_cost) / (self.cost + pseudo_cost)


class Bandit:
    """Weights of arms (group, place): exponential weights on the log of an estimated rate of gain.

    An arm's weight is its declared one, times the square of its rate relative to the overall one. A rate is gain per
    cost, shrunk towards its group's, and that towards the overall one, as if ``_PRIOR_TRIES`` tries had gone so; gains
    are discounted, so that old ones fade over ``_SHORTEST`` tries, or ten for each arm where that is longer. Every arm
    keeps at least ``_FLOOR`` of its declared share. While nothing was ever gained the weights are the declared ones,
    to the last bit.

    The square of a ratio is exp(2 · log ratio) without a logarithm: plain arithmetic gives the same on every machine,
    and the unit of fitness does not matter. Rejected: Thompson sampling, which needs a likelihood. Gains are zero
    mostly and otherwise of any size, and a wrong likelihood is sure of itself.

    Asking costs the number of arms, telling does not: instead of everything before counting for less, what comes counts
    for more, until the numbers grow too large.
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
        """How likely each of ``arms`` is, up to a common factor."""
        declared = [self._declared[arm] for arm in arms]
        if self._all.gain < _SMALLEST * self._weight:
            return declared
        learned = [weight * self._lead(arm) ** 2 for weight, arm in zip(declared, arms, strict=True)]
        exchange = total(declared) / total(learned)
        return [
            _FLOOR * prior + (1.0 - _FLOOR) * exchange * weight for prior, weight in zip(declared, learned, strict=True)
        ]

    def tell(self, group: str, place: str, gain: float, cost: float) -> None:
        """Count a try; one at a place that was not declared counts for its group alone.

        Raises:
            KeyError: there is no such group.
        """
        told = self._groups[group]
        self._weight *= self._growth
        gain = min(gain, _LARGEST)
        cost = min(max(cost, _SMALLEST), _LARGEST)
        told.add(gain, cost, self._weight)
        self._all.add(gain, cost, self._weight)
        if (arm := self._arms.get((group, place))) is not None:
            arm.add(gain, cost, self._weight)
        if self._weight > _HEAVIEST:
            self._rescale()

    def _rescale(self) -> None:
        """Make a try of now count once again."""
        for earned in (self._all, *self._groups.values(), *self._arms.values()):
            earned.scale(1.0 / self._weight)
        self._weight = 1.0

    def _lead(self, arm: ArmKey) -> float:
        """The arm's rate of gain relative to the overall rate."""
        overall = self._all.gain / self._all.cost
        pseudo_cost = _PRIOR_TRIES * self._weight * self._all.cost / self._all.tries
        rate = self._groups[arm[0]].rate(overall, pseudo_cost)
        # An arm that is its whole group has told it everything already.
        if not self._alone[arm[0]]:
            rate = self._arms[arm].rate(rate, pseudo_cost)
        return rate / overall


def total(numbers: Sequence[float]) -> float:
    """Their sum from left to right; that of Python depends on its version."""
    result = 0.0
    for number in numbers:
        result += number
    return result


class Operator(Contract):
    """A way to make a child from ``parents`` parents, performed as ``step``. ``mode`` says how several become one.

    ``sites`` are the classes of places where it can be tried ("loops", "hot_lines"), or whom it can ask, each as likely
    as the others, or as ``site_weights`` say, until the run knows better; its handler finds the one that was drawn in
    the operation. One of weight 0 is never drawn; it is for what ``route`` asks for by a ``Vary``. ``inspirations`` are
    how many others it is shown beside the parents, to learn from.
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

    The declared weights are what it begins with and never quite leaves; :class:`Bandit` says how it learns. The memory
    rule of :class:`~mendel.selection.selectors.Selector` holds here too.

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
            arms = [arm for arm in self._arms if arm.operator.parents <= parents and arm.operator.weight > 0.0]
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

"""A bandit over arms in groups: what gains much for what it costs is taken more often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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

    An arm's weight is its declared one, times the square of its rate relative to everybody's. Its rate is its gain per
    cost, shrunk towards its group's, and that towards everybody's, as if ``_PRIOR_TRIES`` tries had gone so; gains are
    discounted, so that old ones fade over ``_SHORTEST`` tries, or ten for each arm where that is longer. Every arm
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
        """The arm's rate of gain relative to everybody's."""
        everybody = self._all.gain / self._all.cost
        pseudo_cost = _PRIOR_TRIES * self._weight * self._all.cost / self._all.tries
        rate = self._groups[arm[0]].rate(everybody, pseudo_cost)
        # An arm that is its whole group has told it everything already.
        if not self._alone[arm[0]]:
            rate = self._arms[arm].rate(rate, pseudo_cost)
        return rate / everybody


def total(numbers: Sequence[float]) -> float:
    """Their sum from left to right; that of Python depends on its version."""
    result = 0.0
    for number in numbers:
        result += number
    return result

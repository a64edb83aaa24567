"""Adaptive epsilon-greedy selection: the best, or now and then anybody, more often while nothing improves."""

from __future__ import annotations

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import BestSoFar, Choice, Outcome, Selector, checked, cut, draw_parents, shown


class AdaptiveEpsilon(Selector):
    """Explores uniformly with probability epsilon, and otherwise takes the best that is not taken yet.

    A child fitter than everything before it multiplies epsilon by ``shrink``; each ``patience`` children in a row
    that are not, failures among them, multiply it by ``grow``. It never leaves ``lowest`` … ``highest``. Founders set
    the mark to be beaten and leave epsilon alone: nobody selected their parents.

    Raises:
        ValueError: not 0 < lowest <= epsilon <= highest <= 1, not 0 < shrink <= 1 <= grow, or a patience below 1.
    """

    def __init__(
        self,
        epsilon: float = 0.2,
        *,
        lowest: float = 0.05,
        highest: float = 0.8,
        grow: float = 1.25,
        shrink: float = 0.8,
        patience: int = 5,
    ) -> None:
        # An epsilon of 0 could never grow again.
        if not 0.0 < lowest <= epsilon <= highest <= 1.0:
            raise ValueError(f"0 < lowest <= epsilon <= highest <= 1 does not hold for {lowest}, {epsilon}, {highest}")
        if not 0.0 < shrink <= 1.0 <= grow < float("inf") or patience < 1:
            raise ValueError(f"shrink {shrink} is in (0, 1], grow {grow} at least 1, patience {patience} at least 1")
        self._epsilon = epsilon
        self._lowest, self._highest = lowest, highest
        self._grow, self._shrink = grow, shrink
        self._patience = patience
        self._disappointments = 0
        self._best = BestSoFar()

    @property
    def epsilon(self) -> float:
        """How likely the next parent is drawn from all."""
        return self._epsilon

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """``count`` parents, each explored or the best left."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self._next(population, entropy.child("epsilon", place), taken)
            taken.append(member.genome_id)
            reasons.append(reason)
        why = f"epsilon {self._epsilon:.6g}: {'; '.join(reasons)}" if reasons else "nobody may be a parent"
        return Choice(tuple(taken), cut(why))

    def chosen(self, choice: Choice) -> None:
        """Choices teach nothing; their outcomes do."""

    def feedback(self, outcome: Outcome) -> None:
        """Explore less after an improvement, more after a row of disappointments."""
        improved = self._best.improved_by(outcome)
        if not outcome.parents:
            return
        self._disappointments = 0 if improved else self._disappointments + 1
        if improved:
            self._epsilon = max(self._lowest, self._epsilon * self._shrink)
        elif self._disappointments % self._patience == 0:
            self._epsilon = min(self._highest, self._epsilon * self._grow)

    def _next(self, population: Population, entropy: Entropy, taken: list[str]) -> tuple[Member, str]:
        best = next(member for member in population.ranked_parents() if member.genome_id not in taken)
        if entropy.unit("explore") >= self._epsilon:
            return best, f"{shown(best)} is the best of {population.parents - len(taken)}"
        (drawn,) = draw_parents(population, 1, entropy, "anybody", without=taken)
        return drawn, f"{shown(drawn)} drawn from {population.parents - len(taken)}, the best of them {shown(best)}"

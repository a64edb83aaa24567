"""Tournament selection: a few are drawn, the best of them becomes the parent."""

from __future__ import annotations

from collections.abc import Iterable

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector, checked, cut, draw_parents, shown


class Tournament(Selector):
    """One tournament for each parent, among ``size`` different members that did not win one yet.

    A tournament of 1 draws uniformly; the larger it is, the greedier. It remembers nothing.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    def __init__(self, size: int = 3) -> None:
        if size < 1:
            raise ValueError(f"a tournament has at least one member, not {size}")
        self._size = size

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """The winners of ``count`` tournaments."""
        winners: list[str] = []
        rounds: list[str] = []
        for place in range(min(checked(count), population.parents)):
            winner, *others = self._round(population, entropy.child("tournament", place), winners)
            winners.append(winner.genome_id)
            rounds.append(_why(winner, others))
        return Choice(tuple(winners), cut("; ".join(rounds) or "nobody may be a parent"))

    def chosen(self, choice: Choice) -> None:
        """Nothing is remembered."""

    def feedback(self, outcome: Outcome) -> None:
        """Nothing is remembered."""

    def _round(self, population: Population, entropy: Entropy, without: Iterable[str]) -> list[Member]:
        """Those drawn, the best first."""
        drawn = draw_parents(population, self._size, entropy, without=without)
        return sorted(drawn, key=lambda member: member.rank)


def _why(winner: Member, others: list[Member]) -> str:
    over = f" over {', '.join(map(shown, others))}" if others else ""
    return f"tournament of {1 + len(others)}: {shown(winner)}{over}"

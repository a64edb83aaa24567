"""Selectors that choose one parent after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, Selector, checked, cut


class OneByOne(Selector):
    """Asks :meth:`next_parent` for each place; remembers nothing unless a subclass does."""

    name: ClassVar[str]

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """``count`` parents, each chosen among those that are not taken yet."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self.next_parent(population, entropy.child(self.name, place), taken)
            taken.append(member.genome_id)
            reasons.append(f"{self.name}: {reason}")
        return Choice(tuple(taken), cut("; ".join(reasons) or "nobody may be a parent"))

    @abstractmethod
    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One that may be a parent and is not ``taken``, of whom there is at least one; and why, naming it."""

    def chosen(self, choice: Choice) -> None:
        """Nothing is remembered."""

    def feedback(self, outcome: Outcome) -> None:
        """Nothing is remembered."""

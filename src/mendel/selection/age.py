"""Age selection: the young go first, so that no old success fills the run with its copies."""

from __future__ import annotations

from collections.abc import Sequence

from mendel.contracts.entropy import Entropy
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.rank import first_likelier
from mendel.selection.selectors import past, shown


class AgeSelection(OneByOne):
    """Draws ``size`` parents, the younger the likelier, and takes the fittest of them.

    The youngest of n is n times as likely to be drawn as the oldest. One may be drawn twice.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    name = "age"

    def __init__(self, size: int = 2) -> None:
        if size < 1:
            raise ValueError(f"at least one is drawn, not {size}")
        self._size = size

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """The fittest of some young ones."""
        skipped = sorted(map(population.parent_index, taken))
        left = population.parents - len(skipped)
        ages = sorted({first_likelier(left, entropy, draw) for draw in range(self._size)})
        drawn = [population.parent_at(past(left - 1 - age, skipped)) for age in ages]
        fittest = min(drawn, key=lambda member: member.rank)
        return fittest, f"{shown(fittest)} of birth {fittest.birth} is the fittest of {len(drawn)} young ones"

"""Rank selection: the better a rank, the likelier, whatever the distance between fitnesses."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from mendel.contracts.entropy import Entropy, Key
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.selectors import past, shown


class RankSelection(OneByOne):
    """Linear ranking: of n parents the best is n times as likely as the worst."""

    name = "rank"

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One drawn by rank."""
        skipped = sorted(map(population.parent_rank, taken))
        left = population.parents - len(skipped)
        place = first_likelier(left, entropy)
        member = population.parent_ranked(past(place, skipped))
        return member, f"{shown(member)} is number {place + 1} of {left}"


def first_likelier(count: int, entropy: Entropy, *label: Key) -> int:
    """A place in 0 … ``count`` - 1; place i is drawn with a weight of ``count`` - i, in exact integers."""
    mark = entropy.below(count * (count + 1) // 2, *label)
    return count - 1 - (isqrt(8 * mark + 1) - 1) // 2

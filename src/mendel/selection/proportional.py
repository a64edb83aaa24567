"""Fitness-proportional selection: twice as far above the worst, twice as likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mendel.contracts.entropy import Entropy
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.scale import share
from mendel.selection.selectors import past, shown

_TRIES = 64


class ProportionalSelection(OneByOne):
    """A weight of how far a fitness lies above the worst parent's, plus ``floor`` of the whole distance.

    So negative fitnesses do, and nobody is impossible. The draw is exact and needs no sums: the parents stand in order
    of rank, in blocks of 1, 1, 2, 4, 8 …; a block is drawn as if all in it were as fit as its first, and the one drawn
    from it is accepted by its own weight, or all is drawn again. What a block is taken for is at most twice what the
    block before it holds, so at least one try in three is accepted, and a try costs the logarithm of the population.

    Rejected: a tree of partial sums. Sums of floats depend on who came when, which the memory rule forbids.

    Raises:
        ValueError: ``floor`` is not in (0, 1].
    """

    name = "proportional"

    def __init__(self, floor: float = 0.05) -> None:
        if not 0.0 < floor <= 1.0:
            raise ValueError(f"a floor is in (0, 1], not {floor}")
        self._floor = floor

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One drawn by weight."""
        line = _Line(population, sorted(map(population.parent_rank, taken)), self._floor)
        place = _draw(line, entropy)
        member = line.at(place)
        return member, f"{shown(member)} with weight {line.weight(place):.6g}, the best's {line.weight(0):.6g}"


@dataclass(frozen=True, slots=True)
class _Line:
    """Those left, the best first, with their weights."""

    population: Population
    skipped: list[int]
    floor: float

    def __len__(self) -> int:
        return self.population.parents - len(self.skipped)

    def at(self, place: int) -> Member:
        return self.population.parent_ranked(past(place, self.skipped))

    def weight(self, place: int) -> float:
        best, worst = self.at(0), self.at(len(self) - 1)
        return share(self.at(place).fitness, worst.fitness, best.fitness) + self.floor


def _draw(line: _Line, entropy: Entropy) -> int:
    starts = [0, *(1 << power for power in range((len(line) - 1).bit_length()))]
    sizes = [min(max(2 * start, 1), len(line)) - start for start in starts]
    firsts = [line.weight(start) for start in starts]
    taken_for = [size * first for size, first in zip(sizes, firsts, strict=True)]
    place = 0
    for attempt in range(_TRIES):  # all of them fail once in 10**11 draws
        block = entropy.weighted(taken_for, "block", attempt)
        place = starts[block] + entropy.below(sizes[block], "place", attempt)
        if entropy.unit("accept", attempt) * firsts[block] < line.weight(place):
            break
    return place

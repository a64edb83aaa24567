"""Members and populations for the tests of selection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from mendel.selection.population import Member, Population


def member(
    number: int, fitness: float = 0.0, *, descriptor: Mapping[str, float] | None = None, **changes: Any
) -> Member:
    fields = {"genome_id": f"genome-{number}", "birth": number, "fitness": fitness, "depth": 0, "parentable": True}
    return Member(**{**fields, "candidate_id": f"candidate-{number}", **changes}, descriptor=descriptor or {})


def filled(members: Iterable[Member]) -> Population:
    population = Population()
    for each in members:
        population.add(each)
    return population


def crowd(*fitnesses: float) -> Population:
    return filled(member(number, fitness) for number, fitness in enumerate(fitnesses))


class Counting(Population):
    """Counts who is looked at, in whatever way."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def _count(self, found: Member) -> Member:
        self.looks += 1
        return found

    def __getitem__(self, genome_id: str) -> Member:
        return self._count(super().__getitem__(genome_id))

    def parent_at(self, index: int) -> Member:
        return self._count(super().parent_at(index))

    def parent_ranked(self, index: int) -> Member:
        return self._count(super().parent_ranked(index))

    def ranked_at(self, index: int) -> Member:
        return self._count(super().ranked_at(index))

    def ranked(self):
        return map(self._count, super().ranked())

    def ranked_parents(self):
        return map(self._count, super().ranked_parents())

    def ranked_from_worst(self):
        return map(self._count, super().ranked_from_worst())

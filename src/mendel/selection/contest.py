"""A bounded contest: a few of the best and a few drawn ones, whatever the size of the population."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.scale import share
from mendel.selection.selectors import draw_parents


def contestants(
    population: Population, entropy: Entropy, taken: Sequence[str], *, best: int, drawn: int
) -> list[Member]:
    """The ``best`` parents that are not taken, and ``drawn`` of the others."""
    free = (member for member in population.ranked_parents() if member.genome_id not in taken)
    top = list(islice(free, best))
    without = [*taken, *(member.genome_id for member in top)]
    return top + draw_parents(population, drawn, entropy, "contest", without=without)


def standing(population: Population, fitness: float) -> float:
    """Where a fitness stands between the worst parent's and the best's: 0 … 1."""
    worst = population.parent_ranked(population.parents - 1)
    return share(fitness, worst.fitness, population.parent_ranked(0).fitness)

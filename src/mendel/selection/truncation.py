"""Truncation: when there are too many, the worst go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Self

from mendel.selection.population import Member, Population


@dataclass(frozen=True, slots=True)
class Culling:
    """Genomes that will have no offspring, with the reason and the scores that decided it."""

    genome_ids: tuple[str, ...]
    reason: str
    scores: dict[str, float]

    @classmethod
    def of(cls, members: Iterable[Member], reason: str) -> Self:
        """The culling of ``members``, in their order, for one reason."""
        scores = {member.genome_id: member.fitness for member in members}
        return cls(tuple(scores), reason, scores)


def cull_to(population: Population, limit: int) -> tuple[Member, ...]:
    """Who must go so that at most ``limit`` remain, the worst first; removes nobody.

    Raises:
        ValueError: ``limit`` is negative.
    """
    if limit < 0:
        raise ValueError(f"no population has {limit} members")
    return tuple(islice(population.ranked_from_worst(), max(len(population) - limit, 0)))

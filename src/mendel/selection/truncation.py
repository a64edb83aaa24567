"""Culling: who will have no offspring any more, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from mendel.selection.population import Member


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

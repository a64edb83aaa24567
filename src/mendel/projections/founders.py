"""Which founders of a run come from earlier runs, and which of its own is the original that all is compared with."""

from __future__ import annotations

from collections.abc import Iterable

from mendel.contracts.base import Contract
from mendel.contracts.organisms import Genome
from mendel.contracts.run_config import Ancestor, RunConfig


class Founders:
    """Tells the genomes that a run was given by earlier ones from its own; feed it genomes in their order of birth.

    ``inherited`` has those of earlier runs by their ids, ``original`` is the domain's first. A run's ancestors are born
    first, in their order; a domain may leave out champions. Where an ancestor is the original itself, the domain's own
    is only its twin, which is never examined: the ancestor is the original then.
    """

    def __init__(self, ancestors: Iterable[Ancestor] = ()) -> None:
        self._coming = list(ancestors)
        self.inherited: dict[str, Ancestor] = {}
        self.original: str | None = None

    def take(self, genome: Genome) -> None:
        """Somebody is born."""
        if genome.parents or self.original is not None:
            return
        place = next((place for place, each in enumerate(self._coming) if each.traits == genome.traits), None)
        if place is not None:
            self.inherited[genome.id] = self._coming[place]
            del self._coming[: place + 1]
            return
        twins = [name for name, each in self.inherited.items() if each.traits == genome.traits]
        self.original = next(iter(twins), genome.id)
        self.inherited.pop(self.original, None)


class EarlierChampion(Contract):
    """The champion of a niche that an earlier run adopted; it stands until a run adopts a better one."""

    run_id: str
    candidate_id: str


def niches_before(config: RunConfig) -> dict[str, int]:
    """The niches of a run, the first one first, with how many challenges had been made in each before it."""
    return {config.first_niche: config.challenges_before, **{each.niche: each.challenges for each in config.niches}}


def champions_before(config: RunConfig) -> dict[str, EarlierChampion]:
    """The champions that a run found in its niches, by niche."""
    return {
        each.niche or config.first_niche: EarlierChampion(run_id=each.run_id, candidate_id=each.candidate_id)
        for each in config.ancestors
        if each.champion
    }

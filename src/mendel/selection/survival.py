"""Who goes when there are too many: the worst first, but owners of cells last, and from the largest island first."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from mendel.selection.archive import Archive
from mendel.selection.population import Member, Population, Rank

Home = Callable[[str], int | None]


class Survival:
    """Keeps those in order who may go, in groups (the islands they were born on, or one group).

    The worst of the largest group that has anybody unprotected goes; groups of equal size in their order. If
    everybody is protected, the worst of all goes: caps are the kernel's law (rule 1). A step costs the number of
    groups and a binary search.
    """

    def __init__(self, archive: Archive | None = None, home: Home | None = None) -> None:
        self._archive = archive
        self._home = home
        self._sizes: dict[int, int] = {}
        self._free: dict[int, list[Rank]] = {}
        self._members: dict[str, tuple[Member, int]] = {}

    def joined(self, member: Member) -> None:
        """``member`` lives, or has changed; told after its home is known."""
        self.left(member.genome_id)
        group = (self._home(member.genome_id) if self._home else None) or 0
        self._members[member.genome_id] = (member, group)
        self._sizes[group] = self._sizes.get(group, 0) + 1
        before = self._owner_before(member)
        if not self._protected(member.genome_id):
            self._release(member.genome_id)
        elif before is not None and before.genome_id in self._members:
            self._release(before.genome_id)

    def left(self, genome_id: str) -> None:
        """A member is gone."""
        if genome_id not in self._members:
            return
        member, group = self._members.pop(genome_id)
        self._sizes[group] -= 1
        if not self._protected(genome_id):
            free = self._free[group]
            del free[bisect_left(free, member.rank)]
        if self._archive is not None:
            self._archive.forget(genome_id)

    def next_out(self, population: Population) -> Member:
        """Who goes next; nobody is removed.

        Raises:
            IndexError: the population is empty.
        """
        groups = [group for group, free in self._free.items() if free]
        if not groups:
            return population.worst()
        crowded = max(groups, key=lambda group: (self._sizes[group], -group))
        return population[self._free[crowded][-1][2]]

    def _owner_before(self, member: Member) -> Member | None:
        """Who owned the cell that ``member`` contends for."""
        if self._archive is None:
            return None
        cell = self._archive.cell_of(member)
        before = self._archive.owner(cell) if cell is not None else None
        self._archive.place(member)
        return before

    def _protected(self, genome_id: str) -> bool:
        return self._archive is not None and self._archive.protected(genome_id)

    def _release(self, genome_id: str) -> None:
        member, group = self._members[genome_id]
        insort(self._free.setdefault(group, []), member.rank)


# Culling: who will have no offspring any more, and why.


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

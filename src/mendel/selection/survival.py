"""Removal from a full population: the worst of the largest island first, and owners of cells last."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from mendel.selection.archive import Archive
from mendel.selection.population import Member, Population, Rank

Home = Callable[[str], int | None]


class Survival:
    """Sorts the unprotected members in groups: the islands on which they were born, or a single group.

    The next member to remove is the worst unprotected one of the largest group that has one; of equally large groups,
    the first. If all members are protected, it is the worst of all, because caps always hold (rule 1). A step costs
    the number of groups and a binary search.
    """

    def __init__(self, archive: Archive | None = None, home: Home | None = None) -> None:
        self._archive = archive
        self._home = home
        self._sizes: dict[int, int] = {}
        self._free: dict[int, list[Rank]] = {}
        self._members: dict[str, tuple[Member, int]] = {}

    def joined(self, member: Member) -> None:
        """Add a new or changed member; its home must be known."""
        self.left(member.genome_id)  # a changed member is added anew
        group = (self._home(member.genome_id) if self._home else None) or 0
        self._members[member.genome_id] = (member, group)
        self._sizes[group] = self._sizes.get(group, 0) + 1
        before = self._owner_before(member)
        if not self._protected(member.genome_id):
            self._release(member.genome_id)
        elif before is not None and before.genome_id in self._members:
            self._release(before.genome_id)

    def left(self, genome_id: str) -> None:
        """Remove a member, if it is known."""
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
        """Return the member to remove next, without removing it.

        Raises:
            IndexError: the population is empty.
        """
        groups = [group for group, free in self._free.items() if free]
        if not groups:
            return population.worst()
        crowded = max(groups, key=lambda group: (self._sizes[group], -group))
        return population[self._free[crowded][-1][2]]

    def _owner_before(self, member: Member) -> Member | None:
        """Place ``member`` in the archive, and return the previous owner of its cell."""
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


# Culling: genomes that will have no more offspring, and why.


@dataclass(frozen=True, slots=True)
class Culling:
    """Genomes that will have no more offspring, with the reason and the scores that decided it."""

    genome_ids: tuple[str, ...]
    reason: str
    scores: dict[str, float]

    @classmethod
    def of(cls, members: Iterable[Member], reason: str) -> Self:
        """Create the culling of ``members``, in their order, for one reason."""
        scores = {member.genome_id: member.fitness for member in members}
        return cls(tuple(scores), reason, scores)

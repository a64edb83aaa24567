"""The living genomes with a fitness, kept in order of rank and of birth."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite

from mendel.contracts.embeddings import EmbeddingRecord, similarity

Rank = tuple[float, int, str]
_Birth = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Member:
    """A genome that lives: its fitness, and whether it may be a parent.

    ``components`` are the parts of its fitness that have a direction, turned so that the larger is the better;
    ``descriptor`` says where it stands among behaviours, ``looks`` is the vector that its birth recorded.

    Raises:
        ValueError: the fitness is not finite; such numbers have no rank.
    """

    genome_id: str
    birth: int
    fitness: float
    depth: int
    parentable: bool
    candidate_id: str
    components: Mapping[str, float] = field(default_factory=dict, hash=False)
    descriptor: Mapping[str, float] = field(default_factory=dict, hash=False)
    looks: EmbeddingRecord | None = field(default=None, hash=False, compare=False)

    def distance(self, other: Member) -> float | None:
        """How far two members are apart, from 0 for no difference to 2; none unless one embedder saw both."""
        alike = similarity(self.looks, other.looks)
        return 1.0 - alike if alike is not None else None

    def __post_init__(self) -> None:
        if not isfinite(self.fitness):
            raise ValueError(f"a fitness is finite, and that of {self.genome_id} is {self.fitness}")

    @property
    def rank(self) -> Rank:
        """Sorts the better first: by fitness, then by birth, the older first, then by id."""
        return -self.fitness, self.birth, self.genome_id


class Population:
    """Members by id, by rank and, those that may be parents, by birth.

    The higher fitness ranks better; of equal ones the older birth, then the smaller id. Nothing here depends on the
    order in which members were added. A member changes by being removed and added again. Looking somebody up costs
    at most a binary search.
    """

    def __init__(self) -> None:
        self._members: dict[str, Member] = {}
        self._ranks: list[Rank] = []
        self._parent_ranks: list[Rank] = []
        self._parent_births: list[_Birth] = []

    def add(self, member: Member) -> None:
        """Take ``member`` in.

        Raises:
            ValueError: a member with its id is in already.
        """
        if member.genome_id in self._members:
            raise ValueError(f"{member.genome_id} is in the population already")
        self._members[member.genome_id] = member
        insort(self._ranks, member.rank)
        if member.parentable:
            insort(self._parent_ranks, member.rank)
            insort(self._parent_births, _birth(member))

    def remove(self, genome_id: str) -> Member:
        """Let a member go.

        Raises:
            KeyError: nobody has that id.
        """
        member = self._members.pop(genome_id)
        del self._ranks[bisect_left(self._ranks, member.rank)]
        if member.parentable:
            del self._parent_ranks[bisect_left(self._parent_ranks, member.rank)]
            del self._parent_births[bisect_left(self._parent_births, _birth(member))]
        return member

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, genome_id: object) -> bool:
        return genome_id in self._members

    def __getitem__(self, genome_id: str) -> Member:
        return self._members[genome_id]

    @property
    def parents(self) -> int:
        """How many members may be parents."""
        return len(self._parent_births)

    def parent_at(self, index: int) -> Member:
        """The member at ``index``, from 0, among those that may be parents, the oldest first.

        Raises:
            IndexError: ``index`` is negative, or there are no more than ``index`` of them.
        """
        if index < 0:
            raise IndexError(f"places among parents count from 0, not from {index}")
        return self._members[self._parent_births[index][1]]

    def parent_index(self, genome_id: str) -> int:
        """Where a member stands for :meth:`parent_at`.

        Raises:
            KeyError: nobody has that id, or it may not be a parent.
        """
        member = self._members[genome_id]
        if not member.parentable:
            raise KeyError(genome_id)
        return bisect_left(self._parent_births, _birth(member))

    def parent_ranked(self, index: int) -> Member:
        """The member at ``index``, from 0, among those that may be parents, the best first.

        Raises:
            IndexError: ``index`` is negative, or there are no more than ``index`` of them.
        """
        if index < 0:
            raise IndexError(f"ranks among parents count from 0, not from {index}")
        return self._members[self._parent_ranks[index][2]]

    def parent_rank(self, genome_id: str) -> int:
        """Where a member stands for :meth:`parent_ranked`.

        Raises:
            KeyError: nobody has that id, or it may not be a parent.
        """
        member = self._members[genome_id]
        if not member.parentable:
            raise KeyError(genome_id)
        return bisect_left(self._parent_ranks, member.rank)

    def ranked_at(self, index: int) -> Member:
        """The member at ``index``, from 0, among all, the best first.

        Raises:
            IndexError: ``index`` is negative, or there are no more than ``index`` of them.
        """
        if index < 0:
            raise IndexError(f"ranks count from 0, not from {index}")
        return self._members[self._ranks[index][2]]

    def rank_of(self, genome_id: str) -> int:
        """Where a member stands for :meth:`ranked_at`.

        Raises:
            KeyError: nobody has that id.
        """
        return bisect_left(self._ranks, self._members[genome_id].rank)

    def best(self) -> Member:
        """The member of the best rank.

        Raises:
            IndexError: the population is empty.
        """
        return self._members[self._ranks[0][2]]

    def worst(self) -> Member:
        """The member of the worst rank; of equally fit ones the youngest.

        Raises:
            IndexError: the population is empty.
        """
        return self._members[self._ranks[-1][2]]

    def ranked(self) -> Iterator[Member]:
        """Every member, the best first. The population must not change meanwhile."""
        return (self._members[genome_id] for _, _, genome_id in self._ranks)

    def ranked_from_worst(self) -> Iterator[Member]:
        """Every member, the worst first. The population must not change meanwhile."""
        return (self._members[genome_id] for _, _, genome_id in reversed(self._ranks))

    def ranked_parents(self) -> Iterator[Member]:
        """Those that may be parents, the best first. The population must not change meanwhile."""
        return (self._members[genome_id] for _, _, genome_id in self._parent_ranks)


def _birth(member: Member) -> _Birth:
    return member.birth, member.genome_id

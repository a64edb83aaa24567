"""The living genomes with a fitness, sorted by rank and by birth."""

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
    """A living genome: its fitness, and whether it may be a parent.

    ``components`` are the parts of its fitness with a direction, with signs such that larger is better. ``descriptor``
    is its position in the space of behaviours, ``looks`` the vector recorded at its birth.

    Raises:
        ValueError: the fitness is not finite, so that it has no rank.
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
        """Return the distance to another member, from 0 to 2; None unless both vectors come from one embedder."""
        alike = similarity(self.looks, other.looks)
        return 1.0 - alike if alike is not None else None

    def __post_init__(self) -> None:
        if not isfinite(self.fitness):
            raise ValueError(f"a fitness must be finite, but that of {self.genome_id} is {self.fitness}")

    @property
    def rank(self) -> Rank:
        """A sort key with the best first: by fitness descending, then by birth ascending, then by id."""
        return -self.fitness, self.birth, self.genome_id


class Population:
    """Members by id and by rank, and potential parents also by birth.

    A higher fitness ranks better; of equal ones, the older birth, then the smaller id. Results do not depend on the
    order in which members were added. To change a member, remove it and add it again. A lookup costs at most a binary
    search.
    """

    def __init__(self) -> None:
        self._members: dict[str, Member] = {}
        self._ranks: list[Rank] = []
        self._parent_ranks: list[Rank] = []
        self._parent_births: list[_Birth] = []

    def add(self, member: Member) -> None:
        """Add ``member``.

        Raises:
            ValueError: the population already contains a member with its id.
        """
        if member.genome_id in self._members:
            raise ValueError(f"{member.genome_id} is in the population already")
        self._members[member.genome_id] = member
        insort(self._ranks, member.rank)
        if member.parentable:
            insort(self._parent_ranks, member.rank)
            insort(self._parent_births, _birth(member))

    def remove(self, genome_id: str) -> Member:
        """Remove a member and return it.

        Raises:
            KeyError: no member has that id.
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
        """The number of members that may be parents."""
        return len(self._parent_births)

    def parent_at(self, index: int) -> Member:
        """Return the member at ``index``, from 0, among potential parents, the oldest first.

        Raises:
            IndexError: ``index`` is negative or too large.
        """
        if index < 0:  # Python would count from the end
            raise IndexError(f"an index of a parent must be at least 0, not {index}")
        return self._members[self._parent_births[index][1]]

    def parent_index(self, genome_id: str) -> int:
        """Return a member's index for :meth:`parent_at`.

        Raises:
            KeyError: no member has that id, or it may not be a parent.
        """
        member = self._members[genome_id]
        if not member.parentable:
            raise KeyError(genome_id)
        return bisect_left(self._parent_births, _birth(member))

    def parent_ranked(self, index: int) -> Member:
        """Return the member at ``index``, from 0, among potential parents, the best first.

        Raises:
            IndexError: ``index`` is negative or too large.
        """
        if index < 0:
            raise IndexError(f"a rank among parents must be at least 0, not {index}")
        return self._members[self._parent_ranks[index][2]]

    def parent_rank(self, genome_id: str) -> int:
        """Return a member's index for :meth:`parent_ranked`.

        Raises:
            KeyError: no member has that id, or it may not be a parent.
        """
        member = self._members[genome_id]
        if not member.parentable:
            raise KeyError(genome_id)
        return bisect_left(self._parent_ranks, member.rank)

    def ranked_at(self, index: int) -> Member:
        """Return the member at ``index``, from 0, among all members, the best first.

        Raises:
            IndexError: ``index`` is negative or too large.
        """
        if index < 0:
            raise IndexError(f"a rank must be at least 0, not {index}")
        return self._members[self._ranks[index][2]]

    def rank_of(self, genome_id: str) -> int:
        """Return a member's index for :meth:`ranked_at`.

        Raises:
            KeyError: no member has that id.
        """
        return bisect_left(self._ranks, self._members[genome_id].rank)

    def best(self) -> Member:
        """Return the member with the best rank.

        Raises:
            IndexError: the population is empty.
        """
        return self._members[self._ranks[0][2]]

    def worst(self) -> Member:
        """Return the member with the worst rank; of equally fit ones, the youngest.

        Raises:
            IndexError: the population is empty.
        """
        return self._members[self._ranks[-1][2]]

    def ranked(self) -> Iterator[Member]:
        """Iterate over all members, the best first; the population must not change during iteration."""
        return (self._members[genome_id] for _, _, genome_id in self._ranks)

    def ranked_from_worst(self) -> Iterator[Member]:
        """Iterate over all members, the worst first; the population must not change during iteration."""
        return (self._members[genome_id] for _, _, genome_id in reversed(self._ranks))

    def ranked_parents(self) -> Iterator[Member]:
        """Iterate over potential parents, the best first; the population must not change during iteration."""
        return (self._members[genome_id] for _, _, genome_id in self._parent_ranks)


def _birth(member: Member) -> _Birth:
    return member.birth, member.genome_id

"""The Pareto front: the members that no other member dominates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from mendel.selection.population import Member
from mendel.selection.scale import share

Direction = Literal["max", "min"]


class ParetoFront:
    """The members that no offered member dominates, at most ``limit`` of them.

    A member dominates another if it is at least as good in every objective and better in one. A member without a value
    for an objective is not accepted. Beyond the limit, the member in the densest place is removed: the one with the
    smallest crowding distance, of equal ones the one with the worst rank. The best in an objective is removed last. The
    cost of an offer depends on the size of the front, not of the population.

    Raises:
        ValueError: there is no objective, or ``limit`` is less than 1.
    """

    def __init__(self, objectives: Mapping[str, Direction], limit: int = 100) -> None:
        if not objectives or limit < 1:
            raise ValueError("a front needs at least one objective and a limit of at least 1")
        self._signs = {name: 1.0 if objectives[name] == "max" else -1.0 for name in sorted(objectives)}
        self._limit = limit
        self._front: dict[str, tuple[Member, tuple[float, ...]]] = {}

    def offer(self, member: Member) -> bool:
        """Add ``member`` unless it is dominated, remove members that it dominates, and return whether it is in."""
        if any(name not in member.components for name in self._signs):
            return False
        point = tuple(sign * member.components[name] for name, sign in self._signs.items())
        # A member that has changed is offered again, and replaces itself.
        others = {key: known for key, known in self._front.items() if key != member.genome_id}
        if any(dominates(known, point) for _, known in others.values()):
            return False
        self._front = {key: known for key, known in others.items() if not dominates(point, known[1])}
        self._front[member.genome_id] = (member, point)
        if len(self._front) > self._limit:
            del self._front[self._most_crowded()]
        return member.genome_id in self._front

    def forget(self, genome_id: str) -> None:
        """Remove a genome, if it is in the front."""
        self._front.pop(genome_id, None)

    def members(self) -> Iterator[Member]:
        """Return the members of the front, the best rank first."""
        return iter(sorted((member for member, _ in self._front.values()), key=lambda member: member.rank))

    def __contains__(self, genome_id: object) -> bool:
        return genome_id in self._front

    def __len__(self) -> int:
        return len(self._front)

    def _most_crowded(self) -> str:
        # Worst rank first, so that `index` finds the worst of equally crowded members.
        members = sorted((known for known in self._front.values()), key=lambda known: known[0].rank, reverse=True)
        distances = crowding([point for _, point in members])
        return members[distances.index(min(distances))][0].genome_id


def dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether ``one`` is at least as large as ``other`` everywhere, and larger somewhere."""
    return all(a >= b for a, b in zip(one, other, strict=True)) and any(a > b for a, b in zip(one, other, strict=True))


def crowding(points: Sequence[Sequence[float]]) -> list[float]:
    """Return the distance between each point's neighbours, summed over normalised objectives; infinite at the ends."""
    distances = [0.0] * len(points)
    for axis in range(len(points[0]) if points else 0):
        order = sorted(range(len(points)), key=lambda place: (points[place][axis], place))
        low, high = points[order[0]][axis], points[order[-1]][axis]
        for before, place, after in zip(order, order[1:], order[2:], strict=False):
            gap = share(points[after][axis], low, high) - share(points[before][axis], low, high)
            distances[place] += gap
        distances[order[0]] = distances[order[-1]] = float("inf")
    return distances

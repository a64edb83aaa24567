"""The Pareto front: those that nobody beats in every objective at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from mendel.selection.population import Member
from mendel.selection.scale import share

Direction = Literal["max", "min"]


class ParetoFront:
    """The members that no offered one dominates, at most ``limit`` of them.

    One dominates another if it is at least as good in every objective and better in one. Whoever lacks an objective
    is not taken. Beyond the limit the one in the densest place goes (the smallest crowding distance, of equal ones the
    worse rank); the best in an objective goes last. Offering costs the front, whatever the population.

    Raises:
        ValueError: there is no objective, or ``limit`` is less than 1.
    """

    def __init__(self, objectives: Mapping[str, Direction], limit: int = 100) -> None:
        if not objectives or limit < 1:
            raise ValueError("a front has at least one objective and room for one member")
        self._signs = {name: 1.0 if objectives[name] == "max" else -1.0 for name in sorted(objectives)}
        self._limit = limit
        self._front: dict[str, tuple[Member, tuple[float, ...]]] = {}

    def offer(self, member: Member) -> bool:
        """Take ``member`` if nobody dominates it, let go whom it dominates, and say whether it is in."""
        if any(name not in member.components for name in self._signs):
            return False
        point = tuple(sign * member.components[name] for name, sign in self._signs.items())
        others = {key: known for key, known in self._front.items() if key != member.genome_id}
        if any(dominates(known, point) for _, known in others.values()):
            return False
        self._front = {key: known for key, known in others.items() if not dominates(point, known[1])}
        self._front[member.genome_id] = (member, point)
        if len(self._front) > self._limit:
            del self._front[self._most_crowded()]
        return member.genome_id in self._front

    def forget(self, genome_id: str) -> None:
        """A genome lives no more."""
        self._front.pop(genome_id, None)

    def members(self) -> Iterator[Member]:
        """The front, the best rank first."""
        return iter(sorted((member for member, _ in self._front.values()), key=lambda member: member.rank))

    def __contains__(self, genome_id: object) -> bool:
        return genome_id in self._front

    def __len__(self) -> int:
        return len(self._front)

    def _most_crowded(self) -> str:
        members = sorted((known for known in self._front.values()), key=lambda known: known[0].rank, reverse=True)
        distances = crowding([point for _, point in members])
        return members[distances.index(min(distances))][0].genome_id


def dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether ``one`` is nowhere smaller than ``other`` and somewhere larger."""
    return all(a >= b for a, b in zip(one, other, strict=True)) and any(a > b for a, b in zip(one, other, strict=True))


def crowding(points: Sequence[Sequence[float]]) -> list[float]:
    """How far apart each point's neighbours are, summed over objectives in shares of their range; ends are infinite."""
    distances = [0.0] * len(points)
    for axis in range(len(points[0]) if points else 0):
        order = sorted(range(len(points)), key=lambda place: (points[place][axis], place))
        low, high = points[order[0]][axis], points[order[-1]][axis]
        for before, place, after in zip(order, order[1:], order[2:], strict=False):
            gap = share(points[after][axis], low, high) - share(points[before][axis], low, high)
            distances[place] += gap
        distances[order[0]] = distances[order[-1]] = float("inf")
    return distances

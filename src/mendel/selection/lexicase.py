"""Lexicase selection: specialists survive, since each child is decided by its own order of components."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from mendel.contracts.entropy import Entropy
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.selectors import draw_parents, shown


class Lexicase(OneByOne):
    """Of ``pool`` drawn ones, those that are best at a first component, of these the best at a second, and so on.

    The order of components is drawn anew for each parent. "Best" is within the median distance from the median of the
    pool (epsilon-lexicase): components are measured numbers, of which two are seldom equal. Whoever lacks a component
    falls out where another has it; if several are left in the end, the fittest. Costs the components times the pool.

    Raises:
        ValueError: ``pool`` is less than 1.
    """

    name = "lexicase"

    def __init__(self, pool: int = 8) -> None:
        if pool < 1:
            raise ValueError(f"a pool has at least one member, not {pool}")
        self._pool = pool

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """The one that is left."""
        pool = draw_parents(population, self._pool, entropy, "pool", without=taken)
        names = sorted({name for member in pool for name in member.components})
        left, asked = _filtered(pool, entropy.sample(names, len(names), "order"))
        last = min(left, key=lambda member: member.rank)
        by = f", by {', '.join(asked)}" if asked else ""
        return last, f"{shown(last)} is left of {len(pool)}{by}"


def _filtered(pool: list[Member], order: Sequence[str]) -> tuple[list[Member], list[str]]:
    """Who is left, and the components that it took."""
    left, asked = pool, []
    for name in order:
        if len(left) == 1:
            break
        having = [member for member in left if name in member.components]
        if having:
            tolerance = _spread([member.components[name] for member in pool if name in member.components])
            mark = max(member.components[name] for member in having)
            left = [member for member in having if member.components[name] >= mark - tolerance]
            asked.append(name)
    return left, asked


def _spread(values: list[float]) -> float:
    middle = median(values)
    return median(abs(value - middle) for value in values)

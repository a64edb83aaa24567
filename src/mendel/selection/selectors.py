"""Parent selectors: their interface, and selectors without records of individual parents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite, isqrt
from statistics import median
from typing import ClassVar, Final

from mendel.contracts.entropy import Entropy, Key
from mendel.selection.population import Member, Population
from mendel.selection.scale import share

LONGEST_WHY: Final = 2_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The parents of one child, all different, and the reason for the choice, for people.

    ``birth`` is the child's birth number; the caller that records the choice sets it before it calls ``chosen``.

    Raises:
        ValueError: ``why`` is longer than ``LONGEST_WHY``; :func:`cut` shortens it.
    """

    parents: tuple[str, ...]
    why: str
    birth: int | None = None

    def __post_init__(self) -> None:
        if len(self.why) > LONGEST_WHY:
            raise ValueError(f"why has at most {LONGEST_WHY} characters, not {len(self.why)}; shorten it with cut()")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a genome. Founders have no parents and no operator; a fitness of None means that it failed.

    ``site`` is the class of places where its operator was tried. ``gain`` is the improvement over its best parent, 0
    if it is no better or failed; None without a comparison. ``cost`` is the maximum cost of its birth, from its
    marker, because the actual cost depends on timing.

    Raises:
        ValueError: the fitness is not finite, the gain is negative or the cost is not positive.
    """

    genome_id: str
    birth: int
    parents: tuple[str, ...]
    operator: str | None
    fitness: float | None
    site: str | None = None
    gain: float | None = None
    cost: float = 1.0

    def __post_init__(self) -> None:
        if self.fitness is not None and not isfinite(self.fitness):
            raise ValueError(f"a fitness must be finite, but that of {self.genome_id} is {self.fitness}")
        if (self.gain is not None and not self.gain >= 0.0) or not 0.0 < self.cost < float("inf"):
            raise ValueError(
                f"{self.genome_id}: gain must be at least 0, not {self.gain}, and cost more than 0, not {self.cost}"
            )


class Selector(ABC):
    """Chooses parents, and may learn from the results of their children.

    The memory rule: the results of ``select`` and ``sample_inspirations`` depend only on the population, the entropy,
    and the earlier calls of ``chosen``, ``feedback``, ``joined`` and ``left`` and their order. They do not depend on a
    clock, a random generator of its own, or the order in which the population was filled. The caller records every
    choice it uses and passes it to ``chosen``. On resume, it repeats these calls on a new selector from the log,
    without calling ``select``. A selector that learned in ``select`` would therefore choose differently after a resume.

    A call costs at most the logarithm of the population. Calls never overlap.
    """

    @abstractmethod
    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """Return ``count`` different potential parents, or all if there are fewer, without changing the selector.

        Raises:
            ValueError: ``count`` is less than 1.
        """

    @abstractmethod
    def chosen(self, choice: Choice) -> None:
        """Learn that ``choice`` was recorded, just now or before a resume."""

    @abstractmethod
    def feedback(self, outcome: Outcome) -> None:
        """Learn the result of a genome, whether or not this selector chose its parents."""

    def sample_inspirations(
        self, population: Population, parents: Sequence[str], count: int, entropy: Entropy
    ) -> tuple[str, ...]:
        """Return at most ``count`` different members, other than ``parents``, to learn from; changes nothing.

        Half of them are the best members, and the others are drawn from the rest, to show both successful and
        different solutions. Inspirations need not be potential parents.
        """
        without = [each for each in parents if each in population]
        best = best_but(population, (count + 1) // 2, without)
        others = draw_members(population, count - len(best), entropy, "inspiration", without=[*without, *best])
        return (*best, *others)

    def joined(self, member: Member) -> None:  # noqa: B027 - for selectors that keep their own members
        """Learn that ``member`` joined the population, or has changed in it; called after ``feedback``."""

    def left(self, member: Member) -> None:  # noqa: B027 - as above
        """Learn that ``member`` left the population."""


class BestSoFar:
    """The best fitness so far."""

    def __init__(self) -> None:
        self._fitness: float | None = None

    def improved_by(self, outcome: Outcome) -> bool:
        """Store the outcome's fitness if it is the best, and return whether it is."""
        if outcome.fitness is None or (self._fitness is not None and outcome.fitness <= self._fitness):
            return False
        self._fitness = outcome.fitness
        return True


def draw_parents(
    population: Population, count: int, entropy: Entropy, *label: Key, without: Iterable[str] = ()
) -> list[Member]:
    """Draw ``count`` different parents, each set of that size equally likely; all of them if there are fewer.

    The only cost that grows with the population is a binary search. ``without`` are parents to exclude.
    """
    skipped = sorted(map(population.parent_index, without))
    indices = _draw_different(population.parents - len(skipped), count, entropy, *label)
    return [population.parent_at(past(index, skipped)) for index in indices]


def draw_members(
    population: Population, count: int, entropy: Entropy, *label: Key, without: Iterable[str] = ()
) -> list[str]:
    """Draw ``count`` different members from the whole population; see :func:`draw_parents`."""
    skipped = sorted(map(population.rank_of, without))
    indices = _draw_different(len(population) - len(skipped), count, entropy, *label)
    return [population.ranked_at(past(index, skipped)).genome_id for index in indices]


def best_but(population: Population, count: int, without: Sequence[str]) -> list[str]:
    """Return the ids of the best ``count`` members not in ``without``, the best first."""
    ids = (member.genome_id for member in population.ranked())
    return list(islice((each for each in ids if each not in without), max(count, 0)))


def _draw_different(bound: int, count: int, entropy: Entropy, *label: Key) -> list[int]:
    """Draw different indices by Floyd's algorithm; ``Entropy.sample`` would copy the whole population."""
    count = max(count, 0)
    drawn: list[int] = []
    for last in range(max(bound - count, 0), bound):
        index = entropy.below(last + 1, *label, len(drawn))
        drawn.append(last if index in drawn else index)
    return drawn


def past(index: int, skipped: list[int]) -> int:
    """Return the ``index``-th place that is not skipped; ``skipped`` must be sorted."""
    for place in skipped:
        index += index >= place
    return index


def checked(count: int) -> int:
    """Return ``count`` if it is valid.

    Raises:
        ValueError: it is less than 1.
    """
    if count < 1:
        raise ValueError(f"a child needs at least one parent, not {count}")
    return count


def shown(member: Member) -> str:
    """Format a member for a ``why``."""
    return f"{member.genome_id} ({member.fitness:.6g})"


def cut(why: str) -> str:
    """Return ``why``, cut at the end if it is too long."""
    return why if len(why) <= LONGEST_WHY else why[: LONGEST_WHY - 1] + "…"


# Selectors that choose parents one after another.


class OneByOne(Selector):
    """Calls :meth:`next_parent` for each parent; stateless unless a subclass adds state."""

    name: ClassVar[str]

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """Choose ``count`` parents, each from those not yet taken."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self.next_parent(population, entropy.child(self.name, place), taken)
            taken.append(member.genome_id)
            reasons.append(f"{self.name}: {reason}")
        return Choice(tuple(taken), cut("; ".join(reasons) or "none may be a parent"))

    @abstractmethod
    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Return a potential parent that is not ``taken`` (at least one exists), and a reason that contains its id."""

    def chosen(self, choice: Choice) -> None:
        """Ignore the choice."""

    def feedback(self, outcome: Outcome) -> None:
        """Ignore the outcome."""


# Adaptive epsilon-greedy selection: the best parent, or sometimes a random one, more often while nothing improves.


class AdaptiveEpsilon(Selector):
    """Explores uniformly with probability epsilon, and otherwise takes the best parent not yet taken.

    A child fitter than everything before multiplies epsilon by ``shrink``. Every ``patience`` consecutive children
    without an improvement, including failures, multiply it by ``grow``. It stays within ``lowest`` … ``highest``.
    Founders set the initial best fitness, but do not change epsilon, because no selector chose their parents.

    Raises:
        ValueError: not 0 < lowest <= epsilon <= highest <= 1, not 0 < shrink <= 1 <= grow, or a patience below 1.
    """

    def __init__(
        self,
        epsilon: float = 0.2,
        *,
        lowest: float = 0.05,
        highest: float = 0.8,
        grow: float = 1.25,
        shrink: float = 0.8,
        patience: int = 5,
    ) -> None:
        # An epsilon of 0 could never grow again.
        if not 0.0 < lowest <= epsilon <= highest <= 1.0:
            raise ValueError(f"0 < lowest <= epsilon <= highest <= 1 is required, not {lowest}, {epsilon}, {highest}")
        if not 0.0 < shrink <= 1.0 <= grow < float("inf") or patience < 1:
            raise ValueError(
                f"shrink must be in (0, 1], not {shrink}; grow finite and at least 1, not {grow}; patience at least 1,"
                f" not {patience}"
            )
        self._epsilon = epsilon
        self._lowest, self._highest = lowest, highest
        self._grow, self._shrink = grow, shrink
        self._patience = patience
        self._disappointments = 0
        self._best = BestSoFar()

    @property
    def epsilon(self) -> float:
        """The probability that the next parent is drawn from all."""
        return self._epsilon

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """Choose ``count`` parents, each either drawn at random or the best one left."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self._next(population, entropy.child("epsilon", place), taken)
            taken.append(member.genome_id)
            reasons.append(reason)
        why = f"epsilon {self._epsilon:.6g}: {'; '.join(reasons)}" if reasons else "none may be a parent"
        return Choice(tuple(taken), cut(why))

    def chosen(self, choice: Choice) -> None:
        """Ignore choices: only outcomes matter."""

    def feedback(self, outcome: Outcome) -> None:
        """Explore less after an improvement, and more after ``patience`` children without one."""
        improved = self._best.improved_by(outcome)
        if not outcome.parents:
            return
        self._disappointments = 0 if improved else self._disappointments + 1
        if improved:
            self._epsilon = max(self._lowest, self._epsilon * self._shrink)
        elif self._disappointments % self._patience == 0:
            self._epsilon = min(self._highest, self._epsilon * self._grow)

    def _next(self, population: Population, entropy: Entropy, taken: list[str]) -> tuple[Member, str]:
        best = next(member for member in population.ranked_parents() if member.genome_id not in taken)
        if entropy.unit("explore") >= self._epsilon:
            return best, f"{shown(best)} is the best of {population.parents - len(taken)}"
        (drawn,) = draw_parents(population, 1, entropy, "anybody", without=taken)
        return drawn, f"{shown(drawn)} drawn from {population.parents - len(taken)}, the best of them {shown(best)}"


# Lexicase selection: favours specialists, because each choice has its own order of components.


class Lexicase(OneByOne):
    """Draws ``pool`` parents, and keeps the best in a first component, of these the best in a second, and so on.

    The order of components is drawn for each parent. "Best" means within the median absolute deviation of the pool
    (epsilon-lexicase), because measured components are seldom equal. A parent without a component is dropped if another
    one has it. If several are left at the end, the fittest is chosen. The cost is components times pool.

    Raises:
        ValueError: ``pool`` is less than 1.
    """

    name = "lexicase"

    def __init__(self, pool: int = 8) -> None:
        if pool < 1:
            raise ValueError(f"pool must be at least 1, not {pool}")
        self._pool = pool

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Return the parent that is left."""
        pool = draw_parents(population, self._pool, entropy, "pool", without=taken)
        names = sorted({name for member in pool for name in member.components})
        left, asked = _filtered(pool, entropy.sample(names, len(names), "order"))
        last = min(left, key=lambda member: member.rank)
        by = f", by {', '.join(asked)}" if asked else ""
        return last, f"{shown(last)} is left of {len(pool)}{by}"


def _filtered(pool: list[Member], order: Sequence[str]) -> tuple[list[Member], list[str]]:
    """Return the parents that are left, and the components used."""
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


# Fitness-proportional selection: a parent twice as far above the worst is about twice as likely.


_TRIES = 64


class ProportionalSelection(OneByOne):
    """Draws parents with a weight of their distance above the worst fitness, plus ``floor`` times the whole distance.

    Negative fitnesses are allowed, and every parent can be drawn. The draw is exact and needs no sums. The parents are
    sorted by rank and divided into blocks of 1, 1, 2, 4, 8 …. A block is drawn as if all its parents were as fit as its
    first one; a parent drawn from it is accepted by its own weight, otherwise the draw is repeated. The assumed weight
    of a block is at most twice the weight of the block before it, so that at least one try in three is accepted. A try
    costs the logarithm of the population.

    Rejected: a tree of partial sums. Sums of floats depend on the order of insertion, which the memory rule forbids.

    Raises:
        ValueError: ``floor`` is not in (0, 1].
    """

    name = "proportional"

    def __init__(self, floor: float = 0.05) -> None:
        if not 0.0 < floor <= 1.0:
            raise ValueError(f"floor must be in (0, 1], not {floor}")
        self._floor = floor

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Draw a parent by weight."""
        line = _Line(population, sorted(map(population.parent_rank, taken)), self._floor)
        place = _draw(line, entropy)
        member = line.at(place)
        return member, f"{shown(member)} with weight {line.weight(place):.6g}, the best's {line.weight(0):.6g}"


@dataclass(frozen=True, slots=True)
class _Line:
    """The parents not yet taken, the best first, with their weights."""

    population: Population
    skipped: list[int]
    floor: float

    def __len__(self) -> int:
        return self.population.parents - len(self.skipped)

    def at(self, place: int) -> Member:
        return self.population.parent_ranked(past(place, self.skipped))

    def weight(self, place: int) -> float:
        best, worst = self.at(0), self.at(len(self) - 1)
        return share(self.at(place).fitness, worst.fitness, best.fitness) + self.floor


def _draw(line: _Line, entropy: Entropy) -> int:
    starts = [0, *(1 << power for power in range((len(line) - 1).bit_length()))]
    sizes = [min(max(2 * start, 1), len(line)) - start for start in starts]
    firsts = [line.weight(start) for start in starts]
    taken_for = [size * first for size, first in zip(sizes, firsts, strict=True)]
    place = 0
    for attempt in range(_TRIES):  # all of them fail in one of 10**11 draws; then the last place counts
        block = entropy.weighted(taken_for, "block", attempt)
        place = starts[block] + entropy.below(sizes[block], "place", attempt)
        if entropy.unit("accept", attempt) * firsts[block] < line.weight(place):
            break
    return place


# Rank selection: only ranks count, not the distances between fitnesses.


class RankSelection(OneByOne):
    """Linear ranking: of n parents the best is n times as likely as the worst."""

    name = "rank"

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Draw a parent by rank."""
        skipped = sorted(map(population.parent_rank, taken))
        left = population.parents - len(skipped)
        place = first_likelier(left, entropy)
        member = population.parent_ranked(past(place, skipped))
        return member, f"{shown(member)} is number {place + 1} of {left}"


def first_likelier(count: int, entropy: Entropy, *label: Key) -> int:
    """Draw a place in 0 … ``count`` - 1, place i with a weight of ``count`` - i, in exact integers."""
    mark = entropy.below(count * (count + 1) // 2, *label)
    return count - 1 - (isqrt(8 * mark + 1) - 1) // 2


# Tournament selection: the best of a few drawn members becomes the parent.


class Tournament(Selector):
    """Holds one tournament per parent, among ``size`` different members that have not won one yet.

    A tournament of size 1 draws uniformly; larger ones are greedier. The selector is stateless.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    def __init__(self, size: int = 3) -> None:
        if size < 1:
            raise ValueError(f"the size of a tournament must be at least 1, not {size}")
        self._size = size

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """Return the winners of ``count`` tournaments."""
        winners: list[str] = []
        rounds: list[str] = []
        for place in range(min(checked(count), population.parents)):
            winner, *others = self._round(population, entropy.child("tournament", place), winners)
            winners.append(winner.genome_id)
            rounds.append(_why(winner, others))
        return Choice(tuple(winners), cut("; ".join(rounds) or "none may be a parent"))

    def chosen(self, choice: Choice) -> None:
        """Ignore the choice."""

    def feedback(self, outcome: Outcome) -> None:
        """Ignore the outcome."""

    def _round(self, population: Population, entropy: Entropy, without: Iterable[str]) -> list[Member]:
        """Return the drawn members, the best first."""
        drawn = draw_parents(population, self._size, entropy, without=without)
        return sorted(drawn, key=lambda member: member.rank)


def _why(winner: Member, others: list[Member]) -> str:
    over = f" over {', '.join(map(shown, others))}" if others else ""
    return f"tournament of {1 + len(others)}: {shown(winner)}{over}"


# Age selection: prefers young parents, so that descendants of an old success do not fill the run.


class AgeSelection(OneByOne):
    """Draws ``size`` parents, younger ones more likely, and takes the fittest of them.

    The youngest of n is n times as likely to be drawn as the oldest. A parent may be drawn twice.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    name = "age"

    def __init__(self, size: int = 2) -> None:
        if size < 1:
            raise ValueError(f"size must be at least one, not {size}")
        self._size = size

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Return the fittest of the drawn parents."""
        skipped = sorted(map(population.parent_index, taken))
        left = population.parents - len(skipped)
        ages = sorted({first_likelier(left, entropy, draw) for draw in range(self._size)})
        drawn = [population.parent_at(past(left - 1 - age, skipped)) for age in ages]
        fittest = min(drawn, key=lambda member: member.rank)
        return fittest, f"{shown(fittest)} of birth {fittest.birth} is the fittest of {len(drawn)} young ones"

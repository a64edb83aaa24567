"""Parent selectors: their interface, and those that look at the population alone."""

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
    """The parents of one child, different ones, and why it is them, for a person to read.

    ``birth`` is the child's; the caller that records the choice fills it in before it calls ``chosen``.

    Raises:
        ValueError: ``why`` is longer than ``LONGEST_WHY``; :func:`cut` shortens it.
    """

    parents: tuple[str, ...]
    why: str
    birth: int | None = None

    def __post_init__(self) -> None:
        if len(self.why) > LONGEST_WHY:
            raise ValueError(f"why is at most {LONGEST_WHY} characters long, not {len(self.why)}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a genome. Founders have no parents and no operator; no fitness means that it failed.

    ``site`` is the class of places where its operator was tried. ``gain`` is by how much it is fitter than its best
    parent, 0 if it is not or failed; none where there is nothing to compare it with. ``cost`` is what its birth may
    cost at most, as its marker says: what it took in the end depends on timing.

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
            raise ValueError(f"a fitness is finite, and that of {self.genome_id} is {self.fitness}")
        if (self.gain is not None and not self.gain >= 0.0) or not 0.0 < self.cost < float("inf"):
            raise ValueError(f"{self.genome_id}: gain {self.gain} is at least 0, cost {self.cost} more than 0")


class Selector(ABC):
    """Chooses parents, and may learn from what becomes of their children.

    The memory rule: ``select`` and ``sample_inspirations`` depend on the population, the entropy, and what ``chosen``,
    ``feedback``, ``joined`` and ``left`` were told since the selector was made, in that order of telling; on nothing
    else, neither a clock nor a generator of its own nor the order in which the population was filled. The caller
    records every choice it acts upon and tells it to ``chosen``; on resume it tells a new selector the same things
    again from the log, without a call of ``select``. A selector that learned in ``select`` would choose otherwise
    after a resume than before.

    One call costs no more than the logarithm of the population. Calls never overlap.
    """

    @abstractmethod
    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """``count`` different members that may be parents, or all of them if there are fewer; changes nothing.

        Raises:
            ValueError: ``count`` is less than 1.
        """

    @abstractmethod
    def chosen(self, choice: Choice) -> None:
        """Learn that ``choice`` was recorded, just now or in an earlier life of the run."""

    @abstractmethod
    def feedback(self, outcome: Outcome) -> None:
        """Learn what became of a genome, chosen by this selector or not."""

    def sample_inspirations(
        self, population: Population, parents: Sequence[str], count: int, entropy: Entropy
    ) -> tuple[str, ...]:
        """At most ``count`` different members beside ``parents`` to learn from; changes nothing.

        The better half are the best there are, the others are drawn from the rest, so that both what works and
        what is different is seen. Inspirations need not be allowed to be parents.
        """
        without = [each for each in parents if each in population]
        best = best_but(population, (count + 1) // 2, without)
        others = draw_members(population, count - len(best), entropy, "inspiration", without=[*without, *best])
        return (*best, *others)

    def joined(self, member: Member) -> None:  # noqa: B027 - for those who keep members apart
        """Learn that ``member`` is in the population now, or is in it still and has changed; told after its outcome."""

    def left(self, member: Member) -> None:  # noqa: B027 - as above
        """Learn that ``member`` is in the population no more."""


class BestSoFar:
    """The best fitness seen."""

    def __init__(self) -> None:
        self._fitness: float | None = None

    def improved_by(self, outcome: Outcome) -> bool:
        """Remember the outcome's fitness if it is the best, and say whether it is."""
        if outcome.fitness is None or (self._fitness is not None and outcome.fitness <= self._fitness):
            return False
        self._fitness = outcome.fitness
        return True


def draw_parents(
    population: Population, count: int, entropy: Entropy, *label: Key, without: Iterable[str] = ()
) -> list[Member]:
    """``count`` different parents, each set of that size equally likely; all that are left if there are fewer.

    Costs nothing that grows with the population but a binary search. ``without`` are parents that are not drawn.
    """
    skipped = sorted(map(population.parent_index, without))
    indices = _draw_different(population.parents - len(skipped), count, entropy, *label)
    return [population.parent_at(past(index, skipped)) for index in indices]


def draw_members(
    population: Population, count: int, entropy: Entropy, *label: Key, without: Iterable[str] = ()
) -> list[str]:
    """As :func:`draw_parents`, from the whole population."""
    skipped = sorted(map(population.rank_of, without))
    indices = _draw_different(len(population) - len(skipped), count, entropy, *label)
    return [population.ranked_at(past(index, skipped)).genome_id for index in indices]


def best_but(population: Population, count: int, without: Sequence[str]) -> list[str]:
    """The best ``count`` of those that are not left out, the best first."""
    ids = (member.genome_id for member in population.ranked())
    return list(islice((each for each in ids if each not in without), max(count, 0)))


def _draw_different(bound: int, count: int, entropy: Entropy, *label: Key) -> list[int]:
    """Floyd's algorithm: ``Entropy.sample`` would copy the whole population."""
    count = max(count, 0)
    drawn: list[int] = []
    for last in range(max(bound - count, 0), bound):
        index = entropy.below(last + 1, *label, len(drawn))
        drawn.append(last if index in drawn else index)
    return drawn


def past(index: int, skipped: list[int]) -> int:
    """The ``index``-th place of those that are not skipped; ``skipped`` is in order."""
    for place in skipped:
        index += index >= place
    return index


def checked(count: int) -> int:
    """``count`` itself.

    Raises:
        ValueError: it is less than 1.
    """
    if count < 1:
        raise ValueError(f"a child has at least one parent, not {count}")
    return count


def shown(member: Member) -> str:
    """A member as it stands in a ``why``."""
    return f"{member.genome_id} ({member.fitness:.6g})"


def cut(why: str) -> str:
    """``why``, without its end if it is too long."""
    return why if len(why) <= LONGEST_WHY else why[: LONGEST_WHY - 1] + "…"


# Selectors that choose one parent after the other.


class OneByOne(Selector):
    """Asks :meth:`next_parent` for each place; remembers nothing unless a subclass does."""

    name: ClassVar[str]

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """``count`` parents, each chosen among those that are not taken yet."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self.next_parent(population, entropy.child(self.name, place), taken)
            taken.append(member.genome_id)
            reasons.append(f"{self.name}: {reason}")
        return Choice(tuple(taken), cut("; ".join(reasons) or "none may be a parent"))

    @abstractmethod
    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One that may be a parent and is not ``taken`` (there is at least one); and why, naming it."""

    def chosen(self, choice: Choice) -> None:
        """Nothing is remembered."""

    def feedback(self, outcome: Outcome) -> None:
        """Nothing is remembered."""


# Adaptive epsilon-greedy selection: the best, or now and then anybody, more often while nothing improves.


class AdaptiveEpsilon(Selector):
    """Explores uniformly with probability epsilon, and otherwise takes the best that is not taken yet.

    A child fitter than everything before it multiplies epsilon by ``shrink``; each ``patience`` children in a row
    that are not, failures among them, multiply it by ``grow``. It never leaves ``lowest`` … ``highest``. Founders set
    the mark to be beaten and leave epsilon alone: their parents were not selected.

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
            raise ValueError(f"0 < lowest <= epsilon <= highest <= 1 does not hold for {lowest}, {epsilon}, {highest}")
        if not 0.0 < shrink <= 1.0 <= grow < float("inf") or patience < 1:
            raise ValueError(f"shrink {shrink} is in (0, 1], grow {grow} at least 1, patience {patience} at least 1")
        self._epsilon = epsilon
        self._lowest, self._highest = lowest, highest
        self._grow, self._shrink = grow, shrink
        self._patience = patience
        self._disappointments = 0
        self._best = BestSoFar()

    @property
    def epsilon(self) -> float:
        """How likely the next parent is drawn from all."""
        return self._epsilon

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """``count`` parents, each explored or the best left."""
        taken: list[str] = []
        reasons: list[str] = []
        for place in range(min(checked(count), population.parents)):
            member, reason = self._next(population, entropy.child("epsilon", place), taken)
            taken.append(member.genome_id)
            reasons.append(reason)
        why = f"epsilon {self._epsilon:.6g}: {'; '.join(reasons)}" if reasons else "none may be a parent"
        return Choice(tuple(taken), cut(why))

    def chosen(self, choice: Choice) -> None:
        """Choices teach nothing; their outcomes do."""

    def feedback(self, outcome: Outcome) -> None:
        """Explore less after an improvement, more after a row of disappointments."""
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


# Lexicase selection: specialists survive, since each child is decided by its own order of components.


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


# Fitness-proportional selection: twice as far above the worst, twice as likely.


_TRIES = 64


class ProportionalSelection(OneByOne):
    """A weight of how far a fitness lies above the worst parent's, plus ``floor`` of the whole distance.

    Negative fitnesses do, and every parent is possible. The draw is exact and needs no sums: the parents stand in order
    of rank, in blocks of 1, 1, 2, 4, 8 …; a block is drawn as if all in it were as fit as its first, and the one drawn
    from it is accepted by its own weight, or all is drawn again. What a block is taken for is at most twice what the
    block before it holds, so at least one try in three is accepted, and a try costs the logarithm of the population.

    Rejected: a tree of partial sums. Sums of floats depend on who came when, which the memory rule forbids.

    Raises:
        ValueError: ``floor`` is not in (0, 1].
    """

    name = "proportional"

    def __init__(self, floor: float = 0.05) -> None:
        if not 0.0 < floor <= 1.0:
            raise ValueError(f"a floor is in (0, 1], not {floor}")
        self._floor = floor

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One drawn by weight."""
        line = _Line(population, sorted(map(population.parent_rank, taken)), self._floor)
        place = _draw(line, entropy)
        member = line.at(place)
        return member, f"{shown(member)} with weight {line.weight(place):.6g}, the best's {line.weight(0):.6g}"


@dataclass(frozen=True, slots=True)
class _Line:
    """Those left, the best first, with their weights."""

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
    for attempt in range(_TRIES):  # all of them fail once in 10**11 draws
        block = entropy.weighted(taken_for, "block", attempt)
        place = starts[block] + entropy.below(sizes[block], "place", attempt)
        if entropy.unit("accept", attempt) * firsts[block] < line.weight(place):
            break
    return place


# Rank selection: the better a rank, the likelier, whatever the distance between fitnesses.


class RankSelection(OneByOne):
    """Linear ranking: of n parents the best is n times as likely as the worst."""

    name = "rank"

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """One drawn by rank."""
        skipped = sorted(map(population.parent_rank, taken))
        left = population.parents - len(skipped)
        place = first_likelier(left, entropy)
        member = population.parent_ranked(past(place, skipped))
        return member, f"{shown(member)} is number {place + 1} of {left}"


def first_likelier(count: int, entropy: Entropy, *label: Key) -> int:
    """A place in 0 … ``count`` - 1; place i is drawn with a weight of ``count`` - i, in exact integers."""
    mark = entropy.below(count * (count + 1) // 2, *label)
    return count - 1 - (isqrt(8 * mark + 1) - 1) // 2


# Tournament selection: a few are drawn, the best of them becomes the parent.


class Tournament(Selector):
    """One tournament for each parent, among ``size`` different members that did not win one yet.

    A tournament of 1 draws uniformly; the larger it is, the greedier. It remembers nothing.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    def __init__(self, size: int = 3) -> None:
        if size < 1:
            raise ValueError(f"a tournament has at least one member, not {size}")
        self._size = size

    def select(self, population: Population, count: int, entropy: Entropy) -> Choice:
        """The winners of ``count`` tournaments."""
        winners: list[str] = []
        rounds: list[str] = []
        for place in range(min(checked(count), population.parents)):
            winner, *others = self._round(population, entropy.child("tournament", place), winners)
            winners.append(winner.genome_id)
            rounds.append(_why(winner, others))
        return Choice(tuple(winners), cut("; ".join(rounds) or "none may be a parent"))

    def chosen(self, choice: Choice) -> None:
        """Nothing is remembered."""

    def feedback(self, outcome: Outcome) -> None:
        """Nothing is remembered."""

    def _round(self, population: Population, entropy: Entropy, without: Iterable[str]) -> list[Member]:
        """Those drawn, the best first."""
        drawn = draw_parents(population, self._size, entropy, without=without)
        return sorted(drawn, key=lambda member: member.rank)


def _why(winner: Member, others: list[Member]) -> str:
    over = f" over {', '.join(map(shown, others))}" if others else ""
    return f"tournament of {1 + len(others)}: {shown(winner)}{over}"


# Age selection: the young go first, so that no old success fills the run with its copies.


class AgeSelection(OneByOne):
    """Draws ``size`` parents, the younger the likelier, and takes the fittest of them.

    The youngest of n is n times as likely to be drawn as the oldest. One may be drawn twice.

    Raises:
        ValueError: ``size`` is less than 1.
    """

    name = "age"

    def __init__(self, size: int = 2) -> None:
        if size < 1:
            raise ValueError(f"at least one is drawn, not {size}")
        self._size = size

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """The fittest of some young ones."""
        skipped = sorted(map(population.parent_index, taken))
        left = population.parents - len(skipped)
        ages = sorted({first_likelier(left, entropy, draw) for draw in range(self._size)})
        drawn = [population.parent_at(past(left - 1 - age, skipped)) for age in ages]
        fittest = min(drawn, key=lambda member: member.rank)
        return fittest, f"{shown(fittest)} of birth {fittest.birth} is the fittest of {len(drawn)} young ones"

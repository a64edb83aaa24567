"""Who becomes a parent: the interface of selectors, and what they share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Final

from mendel.contracts.entropy import Entropy, Key
from mendel.selection.population import Member, Population

LONGEST_WHY: Final = 2_000


@dataclass(frozen=True, slots=True)
class Choice:
    """The parents of one child, different ones, and why it is them, for a person to read.

    ``birth`` is the child's; whoever records the choice fills it in before it is told to ``chosen``.

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

        The better half are the best there are, the others are drawn from everybody else, so that both what works and
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
    """The best fitness that was told."""

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
    """As :func:`draw_parents`, from everybody."""
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

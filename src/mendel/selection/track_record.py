"""Parent selectors that learn from each parent's children: upper confidence bounds and Thompson sampling."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import sqrt
from typing import Final

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.scale import share
from mendel.selection.selectors import Choice, OneByOne, Outcome, draw_parents, shown

MOST: Final = 65_536
"""How many parents are remembered; beyond that the one that became a parent first is forgotten."""

_LARGEST: Final = 1e150
"""Fitnesses beyond count as this one: the distance between any two of them is still a number."""


@dataclass(frozen=True, slots=True)
class Record:
    """How often a genome was chosen; what its children were: fitter than their parents or not; their mean fitness."""

    chosen: int = 0
    wins: int = 0
    losses: int = 0
    failures: int = 0
    scored: int = 0
    mean: float = 0.0


class TrackRecords:
    """Records by genome; bounded, and a function of what was told in which order."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self.choices = 0

    def of(self, genome_id: str) -> Record:
        """The record of a genome, an empty one if nothing is known."""
        return self._records.get(genome_id, Record())

    def chosen(self, choice: Choice) -> None:
        """Somebody became a parent."""
        self.choices += 1
        for parent in choice.parents:
            before = self.of(parent)
            self._keep(parent, replace(before, chosen=before.chosen + 1))

    def feedback(self, outcome: Outcome) -> None:
        """A child's result stands."""
        for parent in outcome.parents:
            self._keep(parent, _with(self.of(parent), outcome))

    def _keep(self, genome_id: str, record: Record) -> None:
        self._records[genome_id] = record
        if len(self._records) > MOST:
            del self._records[next(iter(self._records))]


def _with(record: Record, outcome: Outcome) -> Record:
    won = bool(outcome.gain)
    counted = replace(record, wins=record.wins + won, losses=record.losses + (not won))
    if outcome.fitness is None:
        return replace(counted, failures=record.failures + 1)
    fitness = min(_LARGEST, max(-_LARGEST, outcome.fitness))
    scored = record.scored + 1
    return replace(counted, scored=scored, mean=record.mean + (fitness - record.mean) / scored)


# A bounded contest: a few of the best and a few drawn ones, whatever the size of the population.


def contestants(
    population: Population, entropy: Entropy, taken: Sequence[str], *, best: int, drawn: int
) -> list[Member]:
    """The ``best`` parents that are not taken, and ``drawn`` of the others."""
    free = (member for member in population.ranked_parents() if member.genome_id not in taken)
    top = list(islice(free, best))
    without = [*taken, *(member.genome_id for member in top)]
    return top + draw_parents(population, drawn, entropy, "contest", without=without)


def standing(population: Population, fitness: float) -> float:
    """Where a fitness stands between the worst parent's and the best's: 0 … 1."""
    worst = population.parent_ranked(population.parents - 1)
    return share(fitness, worst.fitness, population.parent_ranked(0).fitness)


# Upper confidence bounds: the better a parent and its children, the likelier; the less tried, too.


class UpperConfidenceBound(OneByOne):
    """The contestant of the highest mean plus ``exploration`` · √(log2 N / (1 + n)).

    The mean is over its own fitness and its children's, on the scale of the living parents, failures at the bottom; n
    is how often it was chosen, N how often anybody was. Contestants are a few of the best and a few drawn ones, so that
    a choice costs the same in any population. The logarithm is N's length in bits: exact on every machine.

    Raises:
        ValueError: ``exploration`` is negative or not finite.
    """

    name = "ucb"

    def __init__(self, exploration: float = 0.3) -> None:
        if not 0.0 <= exploration < float("inf"):
            raise ValueError(f"an exploration is at least 0 and finite, not {exploration}")
        self._exploration = exploration
        self._records = TrackRecords()

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """The contestant with the highest bound; of equal ones the better rank."""
        pool = contestants(population, entropy, taken, best=4, drawn=4)
        bounds = {member.genome_id: self._bound(population, member) for member in pool}
        winner = min(pool, key=lambda member: (-bounds[member.genome_id], member.rank))
        tries = self._records.of(winner.genome_id).chosen
        bound = bounds[winner.genome_id]
        return winner, f"{shown(winner)} has the bound {bound:.6g} after {tries} choices, the highest of {len(pool)}"

    def chosen(self, choice: Choice) -> None:
        """Count who became a parent."""
        self._records.chosen(choice)

    def feedback(self, outcome: Outcome) -> None:
        """Count what became of the child."""
        self._records.feedback(outcome)

    def _bound(self, population: Population, member: Member) -> float:
        record = self._records.of(member.genome_id)
        children = record.scored * standing(population, record.mean) if record.scored else 0.0
        mean = (standing(population, member.fitness) + children) / (1 + record.scored + record.failures)
        return mean + self._exploration * sqrt(self._records.choices.bit_length() / (1 + record.chosen))


# Thompson sampling: a parent is as likely as it is to be the one whose next child improves.


_MOST_EVIDENCE: Final = 20
_PRIOR: Final = 4


class ThompsonSampling(OneByOne):
    """Draws each contestant's rate of children fitter than their parents from what is believed of it; the highest wins.

    The belief is a beta distribution: what its children were, on top of a prior that believes more of the fitter. Its
    parameters are whole numbers, so a draw is an order statistic of uniform draws, exact on every machine; no more
    evidence counts than ``_MOST_EVIDENCE`` children, in proportion, which bounds its cost and keeps beliefs movable.
    """

    name = "thompson"

    def __init__(self) -> None:
        self._records = TrackRecords()

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """The contestant with the highest draw."""
        pool = contestants(population, entropy, taken, best=3, drawn=3)
        draws = {member.genome_id: self._draw(population, member, entropy) for member in pool}
        winner = min(pool, key=lambda member: (-draws[member.genome_id], member.rank))
        return winner, f"{shown(winner)} drew a rate of {draws[winner.genome_id]:.6g}, the highest of {len(pool)}"

    def chosen(self, choice: Choice) -> None:
        """Choices teach nothing; their outcomes do."""

    def feedback(self, outcome: Outcome) -> None:
        """Count whether the child is fitter than its parents."""
        self._records.feedback(outcome)

    def _draw(self, population: Population, member: Member, entropy: Entropy) -> float:
        wins, losses = _evidence(self._records.of(member.genome_id))
        believed = round(_PRIOR * standing(population, member.fitness))
        return _beta(1 + believed + wins, 1 + _PRIOR - believed + losses, entropy.child("rate", member.genome_id))


def _evidence(record: Record) -> tuple[int, int]:
    """Wins and losses, in proportion where they are too many."""
    told = record.wins + record.losses
    if told <= _MOST_EVIDENCE:
        return record.wins, record.losses
    wins = record.wins * _MOST_EVIDENCE // told
    return wins, _MOST_EVIDENCE - wins


def _beta(a: int, b: int, entropy: Entropy) -> float:
    """The ``a``-th smallest of ``a`` + ``b`` - 1 uniform draws is distributed as Beta(a, b)."""
    return sorted(entropy.unit(draw) for draw in range(a + b - 1))[a - 1]

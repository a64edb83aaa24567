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
"""Maximum number of parents with a record; beyond it, the one whose record is oldest is forgotten."""

_LARGEST: Final = 1e150
"""Larger fitnesses are cut to this one, so that the distance between any two is still finite."""


@dataclass(frozen=True, slots=True)
class Record:
    """A genome's choices, its children that were fitter than their parents or not, and their mean fitness."""

    chosen: int = 0
    wins: int = 0
    losses: int = 0
    failures: int = 0
    scored: int = 0
    mean: float = 0.0


class TrackRecords:
    """Records by genome; their number is bounded, and they depend only on the calls and their order."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self.choices = 0

    def of(self, genome_id: str) -> Record:
        """Return the record of a genome; empty if nothing is known."""
        return self._records.get(genome_id, Record())

    def chosen(self, choice: Choice) -> None:
        """Count a choice for each parent."""
        self.choices += 1
        for parent in choice.parents:
            before = self.of(parent)
            self._keep(parent, replace(before, chosen=before.chosen + 1))

    def feedback(self, outcome: Outcome) -> None:
        """Count a child's outcome for each parent."""
        for parent in outcome.parents:
            self._keep(parent, _with(self.of(parent), outcome))

    def _keep(self, genome_id: str, record: Record) -> None:
        self._records[genome_id] = record
        if len(self._records) > MOST:  # the oldest entry of the dict goes
            del self._records[next(iter(self._records))]


def _with(record: Record, outcome: Outcome) -> Record:
    won = bool(outcome.gain)
    counted = replace(record, wins=record.wins + won, losses=record.losses + (not won))
    if outcome.fitness is None:
        return replace(counted, failures=record.failures + 1)
    fitness = min(_LARGEST, max(-_LARGEST, outcome.fitness))
    scored = record.scored + 1
    return replace(counted, scored=scored, mean=record.mean + (fitness - record.mean) / scored)


# A bounded contest: a few of the best and a few drawn ones, regardless of the size of the population.


def contestants(
    population: Population, entropy: Entropy, taken: Sequence[str], *, best: int, drawn: int
) -> list[Member]:
    """Return the ``best`` best parents that are not taken, and ``drawn`` random ones of the others."""
    free = (member for member in population.ranked_parents() if member.genome_id not in taken)
    top = list(islice(free, best))
    without = [*taken, *(member.genome_id for member in top)]
    return top + draw_parents(population, drawn, entropy, "contest", without=without)


def standing(population: Population, fitness: float) -> float:
    """Return the position of a fitness between the worst and the best parent's, from 0 to 1."""
    worst = population.parent_ranked(population.parents - 1)
    return share(fitness, worst.fitness, population.parent_ranked(0).fitness)


# Upper confidence bounds: prefers good parents with good children, and parents that were seldom chosen.


class UpperConfidenceBound(OneByOne):
    """Chooses the contestant with the highest mean plus ``exploration`` · √(log2 N / (1 + n)).

    The mean is over its own fitness and its children's, on the scale of the living parents; failures count as 0. n is
    the number of its choices, N the number of all choices. Contestants are a few of the best and a few drawn parents,
    so that the cost does not depend on the population. The logarithm is N's length in bits, exact on every machine.

    Raises:
        ValueError: ``exploration`` is negative or not finite.
    """

    name = "ucb"

    def __init__(self, exploration: float = 0.3) -> None:
        if not 0.0 <= exploration < float("inf"):
            raise ValueError(f"exploration must be finite and at least 0, not {exploration}")
        self._exploration = exploration
        self._records = TrackRecords()

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Return the contestant with the highest bound; of equal ones, the one with the better rank."""
        pool = contestants(population, entropy, taken, best=4, drawn=4)
        bounds = {member.genome_id: self._bound(population, member) for member in pool}
        winner = min(pool, key=lambda member: (-bounds[member.genome_id], member.rank))
        tries = self._records.of(winner.genome_id).chosen
        bound = bounds[winner.genome_id]
        return winner, f"{shown(winner)} has the bound {bound:.6g} after {tries} choices, the highest of {len(pool)}"

    def chosen(self, choice: Choice) -> None:
        """Count the choice for each parent."""
        self._records.chosen(choice)

    def feedback(self, outcome: Outcome) -> None:
        """Count the child's outcome for each parent."""
        self._records.feedback(outcome)

    def _bound(self, population: Population, member: Member) -> float:
        record = self._records.of(member.genome_id)
        children = record.scored * standing(population, record.mean) if record.scored else 0.0
        mean = (standing(population, member.fitness) + children) / (1 + record.scored + record.failures)
        return mean + self._exploration * sqrt(self._records.choices.bit_length() / (1 + record.chosen))


# Thompson sampling: a parent's probability is that of having the highest rate of improved children.


_MOST_EVIDENCE: Final = 20
_PRIOR: Final = 4


class ThompsonSampling(OneByOne):
    """Draws each contestant's rate of children fitter than their parents from its posterior; the highest draw wins.

    The posterior is a beta distribution, from its children and a prior that favours fitter contestants. Its parameters
    are integers, so that a draw is an order statistic of uniform draws, exact on every machine. Evidence of more than
    ``_MOST_EVIDENCE`` children is scaled down in proportion, which bounds the cost and lets the posterior adapt.
    """

    name = "thompson"

    def __init__(self) -> None:
        self._records = TrackRecords()

    def next_parent(self, population: Population, entropy: Entropy, taken: Sequence[str]) -> tuple[Member, str]:
        """Return the contestant with the highest draw; of equal ones, the one with the better rank."""
        pool = contestants(population, entropy, taken, best=3, drawn=3)
        draws = {member.genome_id: self._draw(population, member, entropy) for member in pool}
        winner = min(pool, key=lambda member: (-draws[member.genome_id], member.rank))
        return winner, f"{shown(winner)} drew a rate of {draws[winner.genome_id]:.6g}, the highest of {len(pool)}"

    def chosen(self, choice: Choice) -> None:
        """Ignore choices: only outcomes matter."""

    def feedback(self, outcome: Outcome) -> None:
        """Count whether the child is fitter than its parents."""
        self._records.feedback(outcome)

    def _draw(self, population: Population, member: Member, entropy: Entropy) -> float:
        wins, losses = _evidence(self._records.of(member.genome_id))
        believed = round(_PRIOR * standing(population, member.fitness))
        return _beta(1 + believed + wins, 1 + _PRIOR - believed + losses, entropy.child("rate", member.genome_id))


def _evidence(record: Record) -> tuple[int, int]:
    """Return wins and losses, scaled down in proportion if they are too many."""
    told = record.wins + record.losses
    if told <= _MOST_EVIDENCE:
        return record.wins, record.losses
    wins = record.wins * _MOST_EVIDENCE // told
    return wins, _MOST_EVIDENCE - wins


def _beta(a: int, b: int, entropy: Entropy) -> float:
    """Draw from Beta(a, b), the distribution of the ``a``-th smallest of ``a`` + ``b`` - 1 uniform draws."""
    return sorted(entropy.unit(draw) for draw in range(a + b - 1))[a - 1]

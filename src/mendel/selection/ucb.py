"""Upper confidence bounds: the better a parent and its children, the likelier; the less tried, too."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from mendel.contracts.entropy import Entropy
from mendel.selection.contest import contestants, standing
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, shown
from mendel.selection.track_record import TrackRecords


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

"""Thompson sampling: a parent is as likely as it is to be the one whose next child improves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mendel.contracts.entropy import Entropy
from mendel.selection.contest import contestants, standing
from mendel.selection.one_by_one import OneByOne
from mendel.selection.population import Member, Population
from mendel.selection.selectors import Choice, Outcome, shown
from mendel.selection.track_record import Record, TrackRecords

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

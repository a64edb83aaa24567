"""What became of the children of each parent: the memory of the selectors that learn by parent."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from mendel.selection.selectors import Choice, Outcome

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

"""Who lives: who was born, and neither failed, nor was culled, nor is spent with every candidate refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, Self

from mendel.contracts.events.candidate import CandidateCreated
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.read_models import Row
from mendel.contracts.statuses import CandidateStatus, GenomeStatus
from mendel.projections.current_state import GONE, candidate_statuses, genome_statuses

_REFUSED: Final = frozenset({CandidateStatus.REJECTED, CandidateStatus.INVALID})


class Population:
    """The genomes of one run; feed it each event in order. What it goes by stands in the rows."""

    def __init__(self) -> None:
        self.living: set[str] = set()
        self._born: set[str] = set()
        self._statuses: dict[str, str] = {}
        self._genome_of: dict[str, str] = {}
        self._refused: set[str] = set()
        self._hopes: defaultdict[str, set[str]] = defaultdict(set)

    @classmethod
    def restored(cls, genomes: Iterable[Row], candidates: Iterable[Row]) -> Self:
        """That of somebody who has made these rows."""
        found = cls()
        for row in candidates:
            found._candidate_is(row.key, str(row.values.get("status")))
            if "genome_id" in row.values:
                found._expressed(row.key, str(row.values["genome_id"]))
        for row in genomes:
            found._statuses[row.key] = str(row.values.get("status"))
            if "birth" in row.values:
                found._born.add(row.key)
            found._look_at(row.key)
        return found

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case GenomeSpawned(genome=genome):
                self._born.add(genome.id)
                self._look_at(genome.id)
            case CandidateCreated(candidate=candidate):
                self._expressed(candidate.id, candidate.genome_id)
        for genome_id, genome_status in genome_statuses(event).items():
            self._statuses[genome_id] = genome_status
            self._look_at(genome_id)
        for candidate_id, candidate_status in candidate_statuses(event).items():
            self._candidate_is(candidate_id, candidate_status)

    def _expressed(self, candidate_id: str, genome_id: str) -> None:
        self._genome_of[candidate_id] = genome_id
        self._hope(candidate_id, genome_id)

    def _candidate_is(self, candidate_id: str, status: str) -> None:
        (self._refused.add if status in _REFUSED else self._refused.discard)(candidate_id)
        genome_id = self._genome_of.get(candidate_id)
        if genome_id is not None:
            self._hope(candidate_id, genome_id)

    def _hope(self, candidate_id: str, genome_id: str) -> None:
        hopes = self._hopes[genome_id]
        (hopes.discard if candidate_id in self._refused else hopes.add)(candidate_id)
        self._look_at(genome_id)

    def _look_at(self, genome_id: str) -> None:
        status = self._statuses.get(genome_id)
        over = status in GONE or (status == GenomeStatus.SPENT and not self._hopes[genome_id])
        lives = genome_id in self._born and not over
        (self.living.add if lives else self.living.discard)(genome_id)

"""Where in a log it is told of whom: so that one candidate is looked at without reading the whole run again."""

from __future__ import annotations

from collections import defaultdict
from typing import Self

from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeFused, GenomeMutated, GenomeSpawned
from mendel.contracts.events.operation import OperationStarted
from mendel.contracts.events.run import RunCapReached
from mendel.projections.current_state import candidate_statuses, genome_statuses


class WhereaboutsFold:
    """Folds events into an index of their sequences; feed it every event of one run in order.

    It keeps numbers only: what the events say is read from the log, where it stands.
    """

    def __init__(self) -> None:
        self._about: defaultdict[str, list[int]] = defaultdict(list)
        self._origins: defaultdict[str, list[int]] = defaultdict(list)
        self._variations: defaultdict[int, list[int]] = defaultdict(list)
        self._subjects: dict[str, tuple[str, ...]] = {}
        self._births: dict[str, int] = {}
        self._genomes: dict[str, str] = {}
        self._expressed: defaultdict[str, list[str]] = defaultdict(list)
        self._parents: dict[str, tuple[str, ...]] = {}
        self._made_by: dict[str, str] = {}
        self._caps: list[int] = []

    def take(self, event: Event) -> Self:
        """Fold one event."""
        for subject in self._told_of(event):
            self._about[subject].append(event.sequence)
        match event.payload:
            case GenomeSpawned(genome=genome):
                self._origins[genome.id].append(event.sequence)
                self._births[genome.id] = genome.birth
                self._parents[genome.id] = genome.parents
                if event.operation_id is not None:
                    self._made_by[genome.id] = event.operation_id
            case GenomeMutated(child_id=child) | GenomeFused(child_id=child):
                self._origins[child].append(event.sequence)
            case CandidateCreated(candidate=candidate):
                self._genomes[candidate.id] = candidate.genome_id
                self._expressed[candidate.genome_id].append(candidate.id)
            case RunCapReached():
                self._caps.append(event.sequence)
        return self

    def _told_of(self, event: Event) -> set[str]:
        told = {subject for subject in (event.genome_id, event.candidate_id) if subject is not None}
        told.update(genome_statuses(event), candidate_statuses(event))
        match event.payload:
            case OperationStarted(operation=operation):
                self._subjects[operation.id] = (*operation.subject_ids, operation.id)
                if operation.kind == "vary" and operation.birth is not None:
                    self._variations[operation.birth].append(event.sequence)
            case GateVerdict(verdict=verdict):
                told.add(verdict.candidate_id)
            case AdoptionMade(candidate_id=adopted) | AdoptionConfirmed(candidate_id=adopted):
                told.add(adopted)
            case AdoptionRevoked(candidate_id=revoked):
                told.add(revoked)
            case FitnessScored(score=score):
                told.add(score.candidate_id)
        operation_id = event.operation_id or getattr(event.payload, "operation_id", None)
        if isinstance(event.payload, OperationStarted):
            operation_id = event.payload.operation.id
        told.update(self._subjects.get(operation_id or "", ()))
        return told

    @property
    def caps(self) -> tuple[int, ...]:
        """The events that say that a cap stopped something."""
        return tuple(self._caps)

    def genome_of(self, candidate_id: str) -> str | None:
        """Whose expression a candidate is; None of one that was never created."""
        return self._genomes.get(candidate_id)

    def candidates_of(self, genome_id: str) -> tuple[str, ...]:
        """What a genome expressed."""
        return tuple(self._expressed.get(genome_id, ()))

    def parents_of(self, genome_id: str) -> tuple[str, ...]:
        """Whom a genome comes from; those of other runs, too."""
        return self._parents.get(genome_id, ())

    def maker_of(self, genome_id: str) -> str | None:
        """The operation that a genome came out of."""
        return self._made_by.get(genome_id)

    def ancestors_of(self, genome_id: str) -> tuple[str, ...]:
        """All whom a genome comes from, nearest first; only those of this run."""
        found: dict[str, None] = {}
        level = [genome_id]
        while level:
            parents = dict.fromkeys(parent for one in level for parent in self._parents.get(one, ()))
            level = [parent for parent in parents if parent not in found and parent in self._parents]
            found.update(dict.fromkeys(level))
        return tuple(found)

    def origin_of(self, genome_id: str) -> frozenset[int]:
        """The events that say how a genome came about."""
        return frozenset(
            (*self._origins.get(genome_id, ()), *self._variations.get(self._births.get(genome_id, -1), ()))
        )

    def about(self, subject: str) -> frozenset[int]:
        """The events that tell of a genome, a candidate or an operation."""
        return frozenset(self._about.get(subject, ()))

    def explaining(self, candidate_id: str) -> frozenset[int]:
        """The events that an explanation of a candidate rests on, that of the configuration among them."""
        genome_id = self._genomes.get(candidate_id)
        if genome_id is None:
            return frozenset()
        line = (genome_id, *self.ancestors_of(genome_id))
        origins = (self.origin_of(each) for each in line)
        return frozenset({0}).union(self.about(candidate_id), self.about(genome_id), *origins)

"""The current state of a run: the single definition of states after events, of living genomes, and of champions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, Literal, Self

from mendel.contracts.base import Contract, Count
from mendel.contracts.commands import CommandKind
from mendel.contracts.events.candidate import CandidateCreated, FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade, AdoptionRevoked
from mendel.contracts.events.generation import (
    GenerationCompleted,
    GenerationDegraded,
    GenerationPartialFailure,
    GenerationStarted,
)
from mendel.contracts.events.genome import GenomeSpawned, LineageCulled
from mendel.contracts.events.payload import Payload
from mendel.contracts.events.run import RUN_STATUS_AFTER, CommandAccepted, CommandRefused, RunCompleted
from mendel.contracts.organisms import Genome
from mendel.contracts.read_models import Row
from mendel.contracts.statuses import (
    CANDIDATE,
    GENERATION,
    GENOME,
    CandidateStatus,
    GenerationStatus,
    GenomeStatus,
    RunStatus,
    status_after,
)

GENERATION_STATUS_AFTER: Final = status_after(GENERATION)
CANDIDATE_STATUS_AFTER: Final = status_after(CANDIDATE)
GENOME_STATUS_AFTER: Final = {**status_after(GENOME), "generation.partial_failure": GenomeStatus.FAILED}

GONE: Final = frozenset({GenomeStatus.CULLED, GenomeStatus.FAILED})
"""The states in which a genome no longer counts as living."""


def genome_statuses(event: Event) -> Mapping[str, GenomeStatus]:
    """Return the genomes with a state changed by ``event``, each with its new state."""
    status = GENOME_STATUS_AFTER.get(event.type)
    if status is None:
        return {}
    match event.payload:
        case GenomeSpawned(genome=genome):
            return {genome.id: status}
        case LineageCulled(genome_ids=ids) | GenerationPartialFailure(failed_genome_ids=ids):
            return dict.fromkeys(ids, status)
    return {} if event.genome_id is None else {event.genome_id: status}


def candidate_statuses(event: Event) -> Mapping[str, CandidateStatus]:
    """Return the candidates with a state changed by ``event``, each with its new state."""
    status = CANDIDATE_STATUS_AFTER.get(event.type)
    if status is None:
        return {}
    match event.payload:
        case CandidateCreated(candidate=candidate):
            return {candidate.id: status}
        case FitnessScored(score=score):
            return {score.candidate_id: status}
        case LineageCulled(candidate_ids=ids):
            return dict.fromkeys(ids, status)
    return {} if event.candidate_id is None else {event.candidate_id: status}


def generation_figures(payload: Payload) -> Mapping[str, int | float | None]:
    """Return the numbers in ``payload`` about its generation."""
    match payload:
        case GenerationStarted():
            return {"index": payload.index, "population": payload.population}
        case GenerationDegraded():
            return {"population": payload.population, "survivors": payload.survivors}
        case GenerationCompleted():
            return {
                "survivors": payload.survivors,
                "offspring": payload.offspring,
                "best": payload.best_fitness,
                "mean": payload.mean_fitness,
            }
    return {}


class Champions:
    """The current champion of each niche."""

    def __init__(self) -> None:
        self.by_niche: dict[str, str] = {}

    def take(self, payload: Payload) -> None:
        """Apply an adoption or revocation; ignore any other payload."""
        match payload:
            case AdoptionMade(niche=niche, candidate_id=adopted):
                self.by_niche[niche] = adopted
            case AdoptionRevoked(niche=niche, restores=str() as restored):
                self.by_niche[niche] = restored
            case AdoptionRevoked(niche=niche, candidate_id=revoked) if self.by_niche.get(niche) == revoked:
                del self.by_niche[niche]  # there was no champion before it


def first_champion(champions: Mapping[str, str], niches: Iterable[str]) -> str | None:
    """Return the champion of the first niche that has one, as the winner in ``run.completed`` is chosen."""
    return next((champions[name] for name in (*niches, *champions) if name in champions), None)


# Living genomes: born, not failed or culled, and not spent with every candidate refused.


_REFUSED: Final = frozenset({CandidateStatus.REJECTED, CandidateStatus.INVALID})


class Population:
    """The living genomes of one run; takes every event in order, and can be restored from the run's rows."""

    def __init__(self) -> None:
        self.living: set[str] = set()
        self._born: set[str] = set()
        self._statuses: dict[str, str] = {}
        self._genome_of: dict[str, str] = {}
        self._refused: set[str] = set()
        self._hopes: defaultdict[str, set[str]] = defaultdict(set)  # by genome, its candidates that are not refused

    @classmethod
    def restored(cls, genomes: Iterable[Row], candidates: Iterable[Row]) -> Self:
        """Restore the population from its rows."""
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


# The state of a run as tables.


class CommandRow(Contract):
    """The outcome of a command; only a refusal has a reason."""

    position: Count
    kind: CommandKind
    outcome: Literal["accepted", "refused"]
    reason: str | None = None


def command_row(payload: Payload) -> CommandRow | None:
    """Return the row of a command that ``payload`` answers; None if it answers none."""
    match payload:
        case CommandAccepted(position=position, kind=kind):
            return CommandRow(position=position, kind=kind, outcome="accepted")
        case CommandRefused(position=position, kind=kind, reason=reason):
            return CommandRow(position=position, kind=kind, outcome="refused", reason=reason)
    return None


class GenerationRow(Contract):
    """One generation, pending from its first birth; it has no index and no population before its start."""

    id: str
    status: GenerationStatus
    index: Count | None = None
    population: Count | None = None
    survivors: Count | None = None
    offspring: Count | None = None
    best: float | None = None
    mean: float | None = None


class GenomeRow(Contract):
    """One genome, and the generation into which it was born."""

    id: str
    birth: Count
    parents: tuple[str, ...]
    generation_id: str | None
    status: GenomeStatus = GenomeStatus.SEEDED


class CandidateRow(Contract):
    """One candidate; ``total`` is its latest fitness."""

    id: str
    genome_id: str
    status: CandidateStatus
    total: float | None


class StateView(Contract):
    """The state of a run after the event ``sequence_through``; every table is in order of first appearance."""

    run_id: str
    sequence_through: Count
    status: RunStatus | None
    generations: tuple[GenerationRow, ...]
    genomes: tuple[GenomeRow, ...]
    candidates: tuple[CandidateRow, ...]
    champions: Mapping[str, str]
    commands: tuple[CommandRow, ...]
    final_candidate_id: str | None


class StateFold:
    """Folds events into a ``StateView``; takes every event of one run in order.

    Only spawned genomes and created candidates have a row, not those that an event merely mentions.
    """

    def __init__(self) -> None:
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._generations: dict[str, GenerationRow] = {}
        self._genomes: dict[str, GenomeRow] = {}
        self._genome_statuses: dict[str, GenomeStatus] = {}
        self._expressed_by: dict[str, str] = {}
        self._candidate_statuses: dict[str, CandidateStatus] = {}
        self._totals: dict[str, float] = {}
        self._champions = Champions()
        self._commands: list[CommandRow] = []
        self._final: str | None = None

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._last = event
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._genome_statuses.update(genome_statuses(event))
        self._candidate_statuses.update(candidate_statuses(event))
        self._champions.take(event.payload)
        if row := command_row(event.payload):
            self._commands.append(row)
        self._take_generation(event)
        self._take_organism(event)
        return self

    def _take_generation(self, event: Event) -> None:
        status = GENERATION_STATUS_AFTER.get(event.type)
        if status is None or event.generation_id is None:
            return
        row = self._generations.get(event.generation_id) or GenerationRow(id=event.generation_id, status=status)
        self._generations[row.id] = row.model_copy(update={"status": status, **generation_figures(event.payload)})

    def _take_organism(self, event: Event) -> None:
        match event.payload:
            case GenomeSpawned(genome=genome):
                self._spawned(genome, event.generation_id)
            case CandidateCreated(candidate=candidate):
                self._expressed_by[candidate.id] = candidate.genome_id
            case FitnessScored(score=score):
                self._totals[score.candidate_id] = score.total
            case RunCompleted(final_candidate_id=final):
                self._final = final

    def _spawned(self, genome: Genome, generation_id: str | None) -> None:
        self._genomes[genome.id] = GenomeRow(
            id=genome.id, birth=genome.birth, parents=genome.parents, generation_id=generation_id
        )
        if generation_id is not None and generation_id not in self._generations:
            self._generations[generation_id] = GenerationRow(id=generation_id, status=GenerationStatus.PENDING)

    def view(self) -> StateView | None:
        """Return the view; None before the first event."""
        if self._last is None:
            return None
        return StateView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            status=self._status,
            generations=tuple(self._generations.values()),
            genomes=tuple(map(self._as_it_stands, self._genomes.values())),
            candidates=tuple(map(self._candidate_row, self._expressed_by)),
            champions=self._champions.by_niche,
            commands=tuple(self._commands),
            final_candidate_id=self._final,
        )

    def _as_it_stands(self, row: GenomeRow) -> GenomeRow:
        return row.model_copy(update={"status": self._genome_statuses[row.id]})

    def _candidate_row(self, candidate_id: str) -> CandidateRow:
        return CandidateRow(
            id=candidate_id,
            genome_id=self._expressed_by[candidate_id],
            status=self._candidate_statuses[candidate_id],
            total=self._totals.get(candidate_id),
        )

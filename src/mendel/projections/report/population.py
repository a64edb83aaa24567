"""Everybody of a run, as far as a report may want them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import exp2

from mendel.contracts.events.candidate import (
    CandidateChecked,
    CandidateCreated,
    CandidateInvalidated,
    CandidateRejected,
    FitnessScored,
)
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationCompleted
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor
from mendel.contracts.verdicts import Reason
from mendel.projections.founders import Founders
from mendel.projections.report.models import AuditRow, ExaminationRow, TraitsRow
from mendel.projections.report.rows import Rows


@dataclass(slots=True)
class Bred:
    """A genome. The files of one that fell are not kept."""

    id: str
    birth: int
    parents: tuple[str, ...]
    operator: str | None
    note: str
    files: dict[str, str]


@dataclass(slots=True)
class Examined:
    """A candidate, and what was found out about it."""

    id: str
    genome_id: str
    birth: int
    total: float | None = None
    gains: dict[str, float] = field(default_factory=dict)
    checked: ExaminationRow | None = None
    audits: list[AuditRow] = field(default_factory=list)
    fell: tuple[Reason, ...] = ()

    @property
    def speedup(self) -> float | None:
        """What the search saw of its speed, over the original."""
        gain = self.gains.get("speed")
        return None if gain is None else factor(gain)

    @property
    def share_right(self) -> float:
        """How much of what it was asked it answered as it should."""
        return self.checked.right / self.checked.cases if self.checked and self.checked.cases else 0.0


def factor(gain: float) -> float:
    """What a gain in powers of two multiplies by; a gain beyond all measure is as large as can be written."""
    return exp2(max(-1_000.0, min(1_000.0, gain)))


class Population:
    """Genomes and candidates by id."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.genomes: dict[str, Bred] = {}
        self.candidates: dict[str, Examined] = {}
        self.expressed: dict[str, list[str]] = {}
        self.landed: dict[str, str] = {}
        self._founders = Founders()
        self._nearest: str | None = None

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case RunConfigured(config=config):
                self._founders = Founders(config.ancestors)
            case GenomeSpawned(genome=genome):
                self._spawned(genome)
            case CandidateCreated(candidate=candidate):
                self._created(candidate)
            case CandidateChecked(niche=str() as niche) if event.candidate_id is not None:
                self.landed[event.candidate_id] = niche
            case FitnessScored(score=score):
                known = self._known(score.candidate_id)
                known.total, known.gains = score.total, dict(score.components)
            case OperationCompleted(findings=findings) if event.candidate_id in self.candidates:
                self._found(self.candidates[str(event.candidate_id)], findings)
            case CandidateRejected(reasons=reasons) if event.candidate_id in self.candidates:
                self._fell(self.candidates[str(event.candidate_id)], reasons)
            case CandidateInvalidated(reason=reason) if event.candidate_id in self.candidates:
                self._fell(self.candidates[str(event.candidate_id)], (Reason(code="invalid", message=reason),))

    def _found(self, known: Examined, findings: DomainPayload | None) -> None:
        match self._rows.of(findings):
            case ExaminationRow() as found:
                known.checked = found
            case AuditRow() as found:
                known.audits.append(found)

    def _spawned(self, genome: Genome) -> None:
        found = self._rows.of(genome.traits)
        traits = found if isinstance(found, TraitsRow) else TraitsRow(files={})
        self.genomes[genome.id] = Bred(
            genome.id, genome.birth, genome.parents, traits.operator, traits.note, dict(traits.files)
        )
        self._founders.take(genome)

    def _created(self, candidate: Candidate) -> None:
        known = self._known(candidate.id)
        known.genome_id, known.birth = candidate.genome_id, candidate.birth
        self.expressed.setdefault(candidate.genome_id, []).append(candidate.id)

    def _known(self, candidate_id: str) -> Examined:
        return self.candidates.setdefault(candidate_id, Examined(candidate_id, "", 0))

    def _fell(self, known: Examined, reasons: tuple[Reason, ...]) -> None:
        """Of those who were bred and fell, the sources of the one that was nearest to being right are kept."""
        known.fell = reasons
        if self.is_founder(known.id):
            return
        nearest = self.candidates.get(self._nearest or "")
        if known.checked is None or (nearest is not None and nearest.share_right >= known.share_right):
            self._forget(known)
            return
        if nearest is not None:
            self._forget(nearest)
        self._nearest = known.id

    def _forget(self, fallen: Examined) -> None:
        if bred := self.genomes.get(fallen.genome_id):
            bred.files = {}

    # --- asking ----------------------------------------------------------------------------------------------

    @property
    def founder(self) -> str | None:
        """The genome of the original."""
        return self._founders.original

    def inherited(self, genome_id: str) -> Ancestor | None:
        """Where the genome comes from, if that is an earlier run."""
        return self._founders.inherited.get(genome_id)

    def genome_of(self, candidate_id: str) -> Bred | None:
        """What the candidate expresses."""
        known = self.candidates.get(candidate_id)
        return self.genomes.get(known.genome_id) if known is not None else None

    def candidate_of(self, genome_id: str) -> Examined | None:
        """The fittest candidate of a genome."""
        mine = [self.candidates[name] for name in self.expressed.get(genome_id, ())]
        return max(mine, key=_fitness, default=None)

    def total_of(self, genome_id: str) -> float | None:
        """The best total of a genome."""
        best = self.candidate_of(genome_id)
        return best.total if best is not None else None

    def is_founder(self, candidate_id: str) -> bool:
        """Whether this run did not breed it."""
        bred = self.genome_of(candidate_id)
        if bred is None or bred.parents:
            return False
        return bred.operator is None or self.inherited(bred.id) is not None

    def scored(self) -> Iterator[Examined]:
        """Those with a fitness that somebody bred, the fittest first."""
        mine = [each for each in self.candidates.values() if each.total is not None and not self.is_founder(each.id)]
        yield from sorted(mine, key=lambda each: (-_fitness(each), each.birth, each.id))

    def nearest_fallen(self) -> Examined | None:
        """Of those who fell in the cascade, the one that was nearest to being right."""
        return self.candidates.get(self._nearest or "")

    def founder_fell(self) -> tuple[Reason, ...]:
        """Why the founder fell; nothing if it did not."""
        mine = [self.candidates[name] for name in self.expressed.get(self.founder or "", ())]
        if any(each.total is not None for each in mine):
            return ()
        return next((each.fell for each in mine if each.fell), ())

    def descent(self, genome_id: str) -> list[Bred]:
        """From a founder to the genome, by first parents."""
        path: list[Bred] = []
        seen: set[str] = set()
        at: str | None = genome_id
        while at in self.genomes and at not in seen:
            seen.add(at)
            path.append(self.genomes[at])
            at = next(iter(path[-1].parents), None)
        return path[::-1]


def _fitness(known: Examined) -> float:
    return float("-inf") if known.total is None else known.total

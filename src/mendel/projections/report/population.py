"""The candidates of a report: their results, the gate's verdicts on them, and the Pareto front."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp2, isfinite
from typing import Final, Literal

from pydantic import TypeAdapter

from mendel.contracts.base import JsonObject
from mendel.contracts.events.candidate import (
    CandidateChecked,
    CandidateCreated,
    CandidateInvalidated,
    CandidateRejected,
    FitnessScored,
)
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionConfirmed, AdoptionMade, AdoptionRevoked, GateVerdict
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import RunConfigured
from mendel.contracts.organisms import Candidate, Genome
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.run_config import Ancestor
from mendel.contracts.verdicts import Challenge, Decision, Reason, Verdict
from mendel.projections.lineage import Founders
from mendel.projections.report.models import (
    AuditRow,
    ChallengeRow,
    ExaminationRow,
    Files,
    FrontRow,
    Rows,
    SpeedInterval,
    TraitsRow,
)
from mendel.selection.pareto import ParetoFront
from mendel.selection.population import Member

_JSON: Final[TypeAdapter[JsonObject]] = TypeAdapter(JsonObject)


@dataclass(slots=True)
class Bred:
    """A genome. The files of a failed one are not kept."""

    id: str
    birth: int
    parents: tuple[str, ...]
    operator: str | None
    note: str
    files: dict[str, str]


@dataclass(slots=True)
class Examined:
    """A candidate with its results."""

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
        """The speed-up over the original, as measured by the search."""
        gain = self.gains.get("speed")
        return None if gain is None else factor(gain)

    @property
    def share_right(self) -> float:
        """The share of examined cases with the expected result."""
        return self.checked.right / self.checked.cases if self.checked and self.checked.cases else 0.0


def factor(gain: float) -> float:
    """Return the factor of a gain in powers of two; extreme gains are limited to what a float can hold."""
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
        self._own: list[str] = []
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
            case ExaminationRow() as found if known.total is None:  # on a scored candidate it is an audit
                known.checked = found
            case AuditRow() as found:
                known.audits.append(found)

    def _spawned(self, genome: Genome) -> None:
        found = self._rows.of(genome.traits)
        traits = found if isinstance(found, TraitsRow) else TraitsRow(files=_recorded(genome.traits))
        self.genomes[genome.id] = Bred(
            genome.id, genome.birth, genome.parents, traits.operator, traits.note, dict(traits.files)
        )
        self._founders.take(genome)
        if not genome.parents and traits.operator is None and genome.id not in self._founders.inherited:
            self._own.append(genome.id)

    def _created(self, candidate: Candidate) -> None:
        known = self._known(candidate.id)
        known.genome_id, known.birth = candidate.genome_id, candidate.birth
        self.expressed.setdefault(candidate.genome_id, []).append(candidate.id)

    def _known(self, candidate_id: str) -> Examined:
        return self.candidates.setdefault(candidate_id, Examined(candidate_id, "", 0))

    def _fell(self, known: Examined, reasons: tuple[Reason, ...]) -> None:
        """Note a failed candidate; of all failed ones that were bred, only the sources of the best one are kept."""
        known.fell = reasons
        if self.is_founder(known.id):
            return  # the sources of founders are always kept
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

    # --- queries ---------------------------------------------------------------------------------------------

    @property
    def founder(self) -> str | None:
        """The id of the original's genome."""
        return self._founders.original

    def inherited(self, genome_id: str) -> Ancestor | None:
        """Return the ancestor in an earlier run that the genome was taken from, if any."""
        return self._founders.inherited.get(genome_id)

    def genome_of(self, candidate_id: str) -> Bred | None:
        """Return the genome that the candidate expresses."""
        known = self.candidates.get(candidate_id)
        return self.genomes.get(known.genome_id) if known is not None else None

    def candidate_of(self, genome_id: str) -> Examined | None:
        """Return the fittest candidate of a genome."""
        mine = [self.candidates[name] for name in self.expressed.get(genome_id, ())]
        return max(mine, key=_fitness, default=None)

    def total_of(self, genome_id: str) -> float | None:
        """Return the best total of a genome."""
        best = self.candidate_of(genome_id)
        return best.total if best is not None else None

    def is_founder(self, candidate_id: str) -> bool:
        """Return whether the candidate is a founder or from an earlier run, and not bred in this run."""
        bred = self.genome_of(candidate_id)
        if bred is None or bred.parents:
            return False
        return bred.operator is None or self.inherited(bred.id) is not None

    def scored(self) -> Iterator[Examined]:
        """Yield the candidates that were bred and scored, the fittest first."""
        mine = [each for each in self.candidates.values() if each.total is not None and not self.is_founder(each.id)]
        yield from sorted(mine, key=lambda each: (-_fitness(each), each.birth, each.id))

    def nearest_fallen(self) -> Examined | None:
        """Return the failed candidate with the largest share of expected results."""
        return self.candidates.get(self._nearest or "")

    @property
    def founders(self) -> int:
        """Number of the run's own founders, without those of earlier runs."""
        return len(self._own)

    def founder_fell(self) -> tuple[Reason, ...]:
        """Return why the original failed; empty if it did not."""
        mine = [self.candidates[name] for name in self.expressed.get(self.founder or "", ())]
        if any(each.total is not None for each in mine):
            return ()
        return next((each.fell for each in mine if each.fell), ())

    def founders_fell(self) -> tuple[Reason, ...]:
        """Return why the first founder failed; empty unless all founders were examined and failed."""
        mine = [self.candidates[name] for genome in self._own for name in self.expressed.get(genome, ())]
        if any(each.total is not None for each in self.candidates.values()) or not all(each.fell for each in mine):
            return ()
        return next((each.fell for each in mine), ())

    def descent(self, genome_id: str) -> list[Bred]:
        """Return the path from a founder to the genome, by first parents."""
        path: list[Bred] = []
        seen: set[str] = set()
        at: str | None = genome_id
        while at in self.genomes and at not in seen:  # no endless loop even if a damaged log has a cycle
            seen.add(at)
            path.append(self.genomes[at])
            at = next(iter(path[-1].parents), None)
        return path[::-1]


def _recorded(traits: DomainPayload) -> Files:
    """Return a genome's traits as recorded in the log, as one file, for a domain without a row for them."""
    return {"genome.json": f"{_JSON.dump_json(traits.data, indent=2).decode()}\n"}


def _fitness(known: Examined) -> float:
    return float("-inf") if known.total is None else known.total


# The gate's verdict on each challenger, and the fate of each adoption.


@dataclass(slots=True)
class Adopted:
    """An adopted candidate."""

    candidate_id: str
    niche: str
    verdict: Verdict
    replaces: str | None
    state: Literal["made", "confirmed", "revoked"] = "made"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An ended challenge: with a verdict, or with a failure."""

    candidate_id: str
    challenge: Challenge
    verdict: Verdict | None = None
    failure: Reason | None = None


class Gatekeeping:
    """All challenges and adoptions in order."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.adoptions: list[Adopted] = []
        self.spent: dict[str, Challenge] = {}
        self._asking: dict[str, tuple[str, Challenge]] = {}

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case OperationStarted(operation=Operation(kind="challenge", challenge=Challenge() as spent) as operation):
                self._asking[operation.id] = operation.subject_ids[0], spent
                self.spent[operation.id] = spent
            case OperationFailed(operation_id=name, error_code=code, message=message) if name in self._asking:
                candidate_id, spent = self._asking.pop(name)
                self.asked.append(Asked(candidate_id, spent, failure=Reason(code=code, message=message)))
            case GateVerdict(verdict=verdict):
                self._asking.pop(event.operation_id or "", None)
                self.asked.append(Asked(verdict.candidate_id, verdict.challenge, verdict))
            case AdoptionMade(candidate_id=candidate_id, niche=niche, verdict=verdict, replaces=replaces):
                self.adoptions.append(Adopted(candidate_id, niche, verdict, replaces))
            case AdoptionConfirmed(candidate_id=candidate_id):
                self._settle(candidate_id, "confirmed")
            case AdoptionRevoked(candidate_id=candidate_id, reason=reason):
                self._settle(candidate_id, "revoked", reason)

    def _settle(self, candidate_id: str, state: Literal["confirmed", "revoked"], reason: str = "") -> None:
        for adopted in self.adoptions[::-1]:
            if adopted.candidate_id == candidate_id:
                adopted.state, adopted.reason = state, reason
                return

    @property
    def niches(self) -> list[str]:
        """The niches with a challenge or an adoption."""
        told = [each.niche for each in self.spent.values()] + [each.niche for each in self.adoptions]
        return list(dict.fromkeys(told))

    def champion(self, population: Population, niche: str) -> Adopted | None:
        """Return this run's last adoption in the niche that was not revoked."""
        return next(
            (
                each
                for each in self.adoptions[::-1]
                if each.niche == niche
                and each.state != "revoked"
                and population.genome_of(each.candidate_id) is not None
            ),
            None,
        )

    def verdict_on(self, candidate_id: str) -> Verdict | None:
        """Return the gate's last verdict on the candidate."""
        return next((each.verdict for each in self.asked[::-1] if each.candidate_id == candidate_id), None)

    def refused(self, candidate_id: str) -> tuple[Literal["gate", "challenge", "audit"], tuple[Reason, ...]] | None:
        """Return what refused the candidate, and why; None if it never was before the gate, or is adopted."""
        adopted = next((each for each in self.adoptions[::-1] if each.candidate_id == candidate_id), None)
        if adopted is not None:
            told = Reason(code="revoked", message=adopted.reason or "its adoption did not hold")
            return ("audit", (told,)) if adopted.state == "revoked" else None
        asked = next((each for each in self.asked[::-1] if each.candidate_id == candidate_id), None)
        if asked is None:
            return None
        return "gate" if asked.verdict is not None else "challenge", _reasons(asked)

    def rows(self, population: Population, niche: str | None = None) -> tuple[ChallengeRow, ...]:
        """Return a row for every ended challenge, or only for those of ``niche``."""
        revoked = {each.candidate_id for each in self.adoptions if each.state == "revoked"}
        asked = [each for each in self.asked if niche is None or each.challenge.niche == niche]
        return tuple(_challenge_row(each, population, revoked=each.candidate_id in revoked) for each in asked)


_NOT_ADOPTED = Reason(code="not_adopted", message="The gate accepted it, but the run ended before its adoption.")


def _reasons(asked: Asked) -> tuple[Reason, ...]:
    """Return why a challenger was not adopted."""
    if asked.verdict is None:
        return (asked.failure,) if asked.failure is not None else ()
    return (_NOT_ADOPTED,) if asked.verdict.decision is Decision.ADOPT else asked.verdict.reasons


def _challenge_row(asked: Asked, population: Population, *, revoked: bool) -> ChallengeRow:
    known, verdict = population.candidates.get(asked.candidate_id), asked.verdict
    reasons = verdict.reasons if verdict is not None else (asked.failure,) if asked.failure is not None else ()
    return ChallengeRow(
        candidate_id=asked.candidate_id,
        birth=known.birth if known is not None else None,
        total=known.total if known is not None else None,
        k=asked.challenge.k,
        alpha=asked.challenge.alpha,
        n=verdict.n if verdict is not None else 0,
        decision=verdict.decision.value if verdict is not None else "failed",
        revoked=revoked,
        codes=tuple(reason.code for reason in reasons),
        message=reasons[0].message if reasons else "",
    )


def speed_seen(verdict: Verdict) -> SpeedInterval | None:
    """Return the speed-up in a verdict, the inverse of its time ratio of candidate over baseline."""
    compared = verdict.metrics.get("time")
    if compared is None or compared.kind != "ratio" or compared.delta.estimate <= 0.0:
        return None
    delta = compared.delta
    return SpeedInterval(
        estimate=1.0 / delta.estimate, lower=_inverse(delta.upper), upper=_inverse(delta.lower), alpha=delta.alpha
    )


def _inverse(bound: float | None) -> float | None:
    return 1.0 / bound if bound is not None and bound > 0.0 else None


# The Pareto front of a run with several objectives: the candidates that no other one dominates.


MOST: Final = 60
"""Maximum number of rows; of more, those in the densest regions are left out."""


def front_of(
    population: Population, objectives: Sequence[str], winners: Collection[str], *, has_original: bool
) -> tuple[FrontRow, ...]:
    """Return the front, sorted by the first objective, the best first; empty with fewer than two objectives.

    Of candidates with equal gains it contains the winner, or else the oldest. A winner is contained even if another
    candidate dominates it by the search's measurements.
    """
    if len(objectives) < 2:
        return ()
    front = ParetoFront(dict.fromkeys(objectives, "max"), limit=MOST)
    known = {each.id: each for each in _different(population.candidates.values(), objectives, winners)}
    for each in known.values():
        front.offer(_member(each))
    told = [each for each in known.values() if each.id in front or each.id in winners]
    told.sort(key=lambda each: (-each.gains[objectives[0]], each.birth))
    return tuple(
        _front_row(
            population,
            each,
            objectives,
            winner=each.id in winners,
            original=has_original and population.is_founder(each.id),
            dominated=each.id not in front,
        )
        for each in told
    )


def _member(known: Examined) -> Member:
    return Member(
        known.id,
        known.birth,
        known.total or 0.0,
        depth=0,
        parentable=True,
        candidate_id=known.id,
        components=known.gains,
    )


def _different(all_examined: Iterable[Examined], objectives: Sequence[str], winners: Collection[str]) -> list[Examined]:
    """Return the candidates measured in every objective, one for each combination of gains."""
    found: dict[tuple[float, ...], Examined] = {}
    for each in sorted(all_examined, key=lambda each: (each.id not in winners, each.birth, each.id)):
        point = tuple(each.gains[name] for name in objectives if name in each.gains)
        if len(point) == len(objectives) and all(map(isfinite, (*point, each.total or 0.0))):
            found.setdefault(point, each)
    return list(found.values())


def _front_row(
    population: Population,
    known: Examined,
    objectives: Sequence[str],
    *,
    winner: bool,
    original: bool,
    dominated: bool,
) -> FrontRow:
    bred = population.genome_of(known.id)
    earlier = population.inherited(bred.id) if bred is not None else None
    return FrontRow(
        candidate_id=known.id,
        birth=known.birth,
        operator=bred.operator if bred is not None else None,
        total=known.total,
        gains={name: known.gains[name] for name in objectives},
        original=original and earlier is None,
        inherited=earlier.run_id if earlier is not None else None,
        winner=winner,
        dominated=dominated,
    )

"""The report of a run: a pure fold over its events, with the running figures that the report needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final, Self

from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateInvalidated, CandidateRejected, FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    RunCancelled,
    RunCapReached,
    RunCompleting,
    RunConfigured,
    RunFailed,
    RunStarted,
    RunStopped,
    RunStopping,
)
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.payloads import DomainPayload
from mendel.contracts.providers import ModelRole, ModelRoute, ProviderMeta
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Reason, Verdict
from mendel.projections.health import FailedSteps, failure_message
from mendel.projections.lineage import EarlierChampion, champions_before, niches_before
from mendel.projections.report.models import (
    BestRejected,
    CallRow,
    CapEnding,
    Cost,
    Counts,
    CurvePoint,
    ExaminationRow,
    Files,
    FrontRow,
    LineageStep,
    NicheRow,
    OperatorRow,
    RefusedBy,
    ReportView,
    Rows,
    TaskRow,
    TimingRow,
    Winner,
)
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.population import Bred, Examined, Gatekeeping, Population, front_of, speed_seen

# Running figures of a run: the ends of candidates, the results of operators, the cost, and the best total over time.


MOST_POINTS: Final = 400
DUPLICATE: Final = "duplicate"
MOST_FAILURES: Final = 5
"""Maximum number of reasons for failed variations in the report."""

UNKNOWN: Final = "unknown"


class Tallies:
    """Counts and cost of a run.

    A duplicate that is dropped before its examination is invalid and has no code; it is recognised by the start of its
    reason.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._twin: str | None = None  # how the reasons of duplicates start
        self._tally: Counter[str] = Counter()
        self._fell: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._scored: set[str] = set()
        self._examining: set[str] = set()
        self._looked_at: set[str] = set()
        self._examined: set[str] = set()
        self._within: set[str] = set()  # children: their usage is contained in their parent's
        self._varying: set[str] = set()
        self._allowed: dict[str, Usage] = {}  # of operations in flight
        self._began: datetime | None = None
        self._first: datetime | None = None
        self._last: datetime | None = None

    def take(self, event: Event) -> None:
        """Fold one event."""
        self._first = self._first or event.occurred_at
        self._last = event.occurred_at
        match event.payload:
            case RunConfigured(config=config) if isinstance(task := self._rows.of(config.domain_config), TaskRow):
                self._twin = task.words.twin
            case RunStarted():
                self._began = self._began or event.occurred_at
            case GenomeSpawned():
                self._tally["births"] += 1
            case CandidateRejected(reasons=reasons):
                self._fall(reasons[0].code)
            case CandidateInvalidated(reason=reason):
                self._fall(DUPLICATE if self._twin is not None and reason.startswith(self._twin) else "invalid")
            case FitnessScored(score=score):
                self._scored.add(score.candidate_id)
            case AdoptionMade():
                self._tally["adopted"] += 1
            case EnergySpent(actual=actual):
                self._tally["energy"] += actual
            case _:
                self._take_operation(event)

    def _take_operation(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=Operation(kind=kind, id=name, allowance=allowance)):
                self._allowed[name] = allowance
                if kind == "child":
                    self._within.add(name)
                if kind == "vary":
                    self._varying.add(name)
                if kind == "examine":
                    self._examining.add(name)
            case OperationCompleted(operation_id=name, findings=findings, usage=usage):
                self._varying.discard(name)
                self._allowed.pop(name, None)
                self._use(usage if name not in self._within else Usage())
                self._find(name, findings, event.candidate_id)
            case OperationFailed(operation_id=name, usage=usage) as failure:
                if name in self._varying:
                    self._tally["barren"] += 1
                    self._failures[failure_message(failure)] += 1
                self._varying.discard(name)
                self._examining.discard(name)
                # A failure without a measurement is charged its whole allowance, which is no real usage.
                if usage != self._allowed.pop(name, None):
                    self._use(usage if name not in self._within else Usage())

    def _find(self, operation_id: str, findings: DomainPayload | None, candidate_id: str | None) -> None:
        """Count a completed operation. On a scored candidate it is an audit or a duel, not an examination."""
        found = self._rows.of(findings)
        self._tally["timed"] += isinstance(found, TimingRow)
        if operation_id not in self._examining:
            return
        self._examining.discard(operation_id)
        if candidate_id is not None and candidate_id not in self._scored:
            self._looked_at.add(candidate_id)
            if isinstance(found, ExaminationRow):
                self._examined.add(candidate_id)

    def _fall(self, code: str) -> None:
        if code == DUPLICATE:
            self._tally["duplicates"] += 1
        else:
            self._fell[code] += 1

    def _use(self, usage: Usage) -> None:
        self._used["cpu_ms"] += usage.cpu_ms
        self._used["evaluations"] += usage.evaluations
        self._used["opcodes"] += usage.opcodes
        self._used["tokens"] += usage.tokens_in + usage.tokens_out
        self._used["cost_microusd"] += usage.cost_microusd

    @property
    def examined(self) -> int:
        """Number of candidates examined so far: by the domain's rows, or by its operations if it has no such rows."""
        return len(self._examined or self._looked_at)

    def since_start(self, moment: datetime) -> float:
        """Return the seconds since the run started, or since its first event if it never started."""
        began = self._began or self._first or moment
        return max(0.0, (moment - began).total_seconds())

    def counts(self, challenged: int) -> Counts:
        """Return how many candidates ended in which way."""
        told = {name: self._tally[name] for name in ("births", "barren", "duplicates", "timed", "adopted")}
        told["examined"] = self.examined
        failures = dict(_most_frequent_first(self._failures)[:MOST_FAILURES])
        fell = dict(_most_frequent_first(self._fell))
        return Counts(**told, failures=failures, fell=fell, scored=len(self._scored), challenged=challenged)

    def cost(self) -> Cost:
        """Return the cost of the run."""
        return Cost(
            energy=self._tally["energy"],
            cpu_seconds=self._used["cpu_ms"] / 1e3,
            wall_seconds=self.since_start(self._last) if self._last is not None else 0.0,
            examined=self.examined,
            evaluations=self._used["evaluations"],
            opcodes=self._used["opcodes"],
            tokens=self._used["tokens"],
            cost_microusd=self._used["cost_microusd"],
        )


def _most_frequent_first(counted: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


class Curve:
    """The best total over time."""

    def __init__(self) -> None:
        self._rises: list[CurvePoint] = []
        self._last: CurvePoint | None = None

    @property
    def best(self) -> float | None:
        """The highest total so far."""
        return self._rises[-1].best if self._rises else None

    def scored(self, birth: int, total: float, examined: int, seconds: float) -> None:
        """Add a scored candidate."""
        best = total if self.best is None else max(total, self.best)
        self._last = CurvePoint(birth=birth, examined=examined, seconds=seconds, best=best)
        if self.best is None or total > self.best:
            self._rises.append(self._last)

    def points(self, most: int = MOST_POINTS) -> tuple[CurvePoint, ...]:
        """Return the points where it rose and its last one, thinned to at most ``most`` points that keep both ends."""
        ends = [self._last] if self._last is not None and self._rises[-1] is not self._last else []
        return tuple(_thinned([*self._rises, *ends], most))


def _thinned(points: Sequence[CurvePoint], most: int) -> Sequence[CurvePoint]:
    last = len(points) - 1
    return points if last < most else [points[round(place * last / (most - 1))] for place in range(most)]


@dataclass(slots=True)
class _Asked:
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_microusd: int = 0


class Calls:
    """The calls to each source of models, by role."""

    def __init__(self) -> None:
        self._asked: dict[tuple[ModelRole, ModelRoute], _Asked] = {}

    def take(self, event: Event) -> None:
        """Fold one event."""
        match event.payload:
            case LlmCallTelemetry(role=role, provider=provider):
                self._add(role, provider, failed=False)
            case ProviderCallFailed(role=role, provider=ProviderMeta() as provider):
                self._add(role, provider, failed=True)

    def _add(self, role: ModelRole, meta: ProviderMeta, *, failed: bool) -> None:
        route = ModelRoute(provider=meta.provider, model_id=meta.model_id)
        asked = self._asked.setdefault((role, route), _Asked())
        asked.calls += 1
        asked.failed += failed
        asked.tokens_in += meta.tokens_in
        asked.tokens_out += meta.tokens_out
        asked.cost_microusd += meta.cost_microusd or 0

    def rows(self, plan: ModelPlan | None) -> tuple[CallRow, ...]:
        """Return a row for each source, in the order of their first calls; ``plan`` contains their names."""
        return tuple(
            CallRow(name=_source_name(plan, role, route), role=role, route=str(route), **asdict(asked))
            for (role, route), asked in self._asked.items()
        )


def _source_name(plan: ModelPlan | None, role: ModelRole, route: ModelRoute) -> str | None:
    played = plan.roles.get(role) if plan is not None else None
    if played is None:
        return None
    sources = (*played.sources, played.fallback)
    return next((source.name for source in sources if source is not None and source.route == route), None)


@dataclass(slots=True)
class _Tried:
    tries: int = 0
    barren: int = 0
    scored: int = 0
    improvements: int = 0
    best_gain: float | None = None


class Operators:
    """The results of operators. A birth counts for the operator that made it, a failure for the requested one."""

    def __init__(self) -> None:
        self._asked: dict[str, str] = {}
        self._tried: dict[str, _Tried] = {}
        self._made: dict[str, str] = {}
        self._rated: set[str] = set()

    def asked(self, operation: Operation) -> None:
        """Note the start of a variation."""
        if operation.kind == "vary":
            self._asked[operation.id] = operation.operator or UNKNOWN

    def failed(self, operation_id: str) -> None:
        """Note a variation that failed."""
        name = self._asked.pop(operation_id, None)
        if name is not None:
            tried = self._of(name)
            tried.tries += 1
            tried.barren += 1

    def born(self, genome_id: str, operator: str | None, operation_id: str | None) -> None:
        """Note the genome that a variation made; founders belong to no operator."""
        name = operator or self._asked.get(operation_id or "")
        self._asked.pop(operation_id or "", None)
        if name is not None:
            self._made[genome_id] = name
            self._of(name).tries += 1

    def scored(self, genome_id: str, total: float, parents: float | None) -> None:
        """Note the first fitness of a genome; ``parents`` is the fitness of its best parent."""
        if genome_id not in self._made or genome_id in self._rated:
            return
        self._rated.add(genome_id)
        tried = self._of(self._made[genome_id])
        tried.scored += 1
        if parents is not None:
            gain = total - parents
            tried.improvements += gain > 0
            tried.best_gain = gain if tried.best_gain is None else max(gain, tried.best_gain)

    def _of(self, name: str) -> _Tried:
        return self._tried.setdefault(name, _Tried())

    def rows(self) -> tuple[OperatorRow, ...]:
        """Return a row for each operator, those with the most improvements first."""
        ranked = sorted(self._tried.items(), key=lambda each: (-each[1].improvements, -each[1].tries, each[0]))
        return tuple(
            OperatorRow(
                operator=name,
                tries=tried.tries,
                barren=tried.barren,
                scored=tried.scored,
                improvements=tried.improvements,
                best_gain=tried.best_gain,
            )
            for name, tried in ranked
        )


class ReportFold:
    """Folds events into a ``ReportView`` with the rows of their domain; takes every event of one run in order."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._first: Event | None = None
        self._last: Event | None = None
        self._status: RunStatus | None = None
        self._ended: str | None = None
        self._config: RunConfig | None = None
        self._task: TaskRow | None = None
        self._population = Population(rows)
        self._gate = Gatekeeping()
        self._tallies = Tallies(rows)
        self._calls = Calls()
        self._caps: dict[str, CapEnding] = {}
        self._curve = Curve()
        self._curves: dict[str, Curve] = {}
        self._operators = Operators()
        self._failed = FailedSteps()

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._first = self._first or event
        self._last = event
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._population.take(event)
        self._gate.take(event)
        self._tallies.take(event)
        self._calls.take(event)
        self._failed.take(event)
        self._take_run(event)
        self._take_search(event)
        return self

    def _take_run(self, event: Event) -> None:
        match event.payload:
            case RunConfigured(config=config):
                self._config = config
                found = self._rows.of(config.domain_config)
                self._task = found if isinstance(found, TaskRow) else None
            case RunCapReached(cap=cap, limit=limit, used=used):
                self._caps[cap] = CapEnding(cap=cap, limit=limit, used=used)
            case (
                RunCompleting(reason=reason)
                | RunStopping(reason=reason)
                | RunStopped(reason=reason)
                | RunFailed(reason=reason)
                | RunCancelled(reason=reason)
            ):
                self._ended = reason

    def _take_search(self, event: Event) -> None:
        match event.payload:
            case OperationStarted(operation=operation):
                self._operators.asked(operation)
            case OperationFailed(operation_id=name):
                self._operators.failed(name)
            case GenomeSpawned(genome=genome):
                bred = self._population.genomes[genome.id]
                operator = bred.operator if self._population.inherited(genome.id) is None else None
                self._operators.born(genome.id, operator, event.operation_id)
            case FitnessScored(score=score):
                self._scored(score, event)

    def _scored(self, score: FitnessScore, event: Event) -> None:
        seconds = self._tallies.since_start(event.occurred_at)
        known = self._population.candidates[score.candidate_id]
        own = self._curves.setdefault(self._population.landed.get(known.id, self._first_niche), Curve())
        for curve in (self._curve, own):
            curve.scored(known.birth, score.total, self._tallies.examined, seconds)
        if bred := self._population.genome_of(score.candidate_id):
            totals = [total for total in map(self._population.total_of, bred.parents) if total is not None]
            self._operators.scored(bred.id, score.total, max(totals, default=None))

    # --- the view --------------------------------------------------------------------------------------------

    def view(self) -> ReportView | None:
        """Return the report; None before the first event."""
        if self._first is None or self._last is None:
            return None
        niches, config = self._niches(), self._config
        first = next((each for each in niches if each.winner is not None), None)
        winner = first.winner if first is not None else None
        winners = {each.winner.candidate_id for each in niches if each.winner is not None}
        return ReportView(
            run_id=self._last.run_id,
            sequence_through=self._last.sequence,
            domain=config.domain if config else None,
            status=self._status,
            ended=self._ended,
            started_at=self._first.occurred_at,
            seed=config.rng_seed if config else None,
            selector=config.selector if config else None,
            alpha=config.alpha if config else None,
            task=self._task.view if self._task else None,
            words=self._task.words if self._task else None,
            paths=self._task.paths if self._task else {},
            original=self._original(),
            founders=self._population.founders,
            has_original=self._has_original,
            original_total=self._population.total_of(self._population.founder or ""),
            original_fell=self._fell(),
            best=self._curve.best,
            champion_before=self._champions_before.get(self._first_niche),
            niches=niches,
            winner=winner,
            challenges=self._gate.rows(self._population),
            lineage=first.lineage if first is not None else (),
            curve=self._curve.points(),
            counts=self._tallies.counts(len(self._gate.asked)),
            failed_steps=self._failed.rows(),
            closed_niches=self._failed.closed_niches(),
            operators=self._operators.rows(),
            cost=self._tallies.cost(),
            rejected=self._rejected(winners),
            front=self._front(winners),
            calls=self._calls.rows(config.models if config else None),
            capped=self._capped(),
        )

    def _capped(self) -> CapEnding | None:
        """Return the cap that ended the run; a cap that only blocked something did not."""
        ended = self._ended or ""  # in the words of the kernel's Plan.stopped_by
        return next((told for cap, told in self._caps.items() if ended.startswith(f"{cap} reached")), None)

    @property
    def _first_niche(self) -> str:
        return self._config.first_niche if self._config is not None else ""

    @property
    def _champions_before(self) -> dict[str, EarlierChampion]:
        return champions_before(self._config) if self._config is not None else {}

    def _niches(self) -> tuple[NicheRow, ...]:
        """Return the configured niches, and any others that a damaged log mentions."""
        before = niches_before(self._config) if self._config is not None else {}
        names = dict.fromkeys([*before, *self._gate.niches])
        return tuple(self._niche(name, before.get(name, 0), alone=len(names) == 1) for name in names)

    def _niche(self, name: str, before: int, *, alone: bool) -> NicheRow:
        spent = [each for each in self._gate.spent.values() if each.niche == name]
        curve, winner = self._curves.get(name, Curve()), self._winner(name)
        original = self._original() if alone or self._has_original else self._ancestor(winner)
        return NicheRow(
            niche=name,
            alpha=self._config.alpha if self._config is not None else None,
            challenges_before=before,
            k=max((each.k for each in spent), default=before),
            spent=sum(each.alpha for each in spent),
            champion_before=self._champions_before.get(name),
            winner=winner,
            best=curve.best,
            challenges=self._gate.rows(self._population, name),
            curve=curve.points(),
            lineage=tuple(self._lineage(winner.genome_id, original)) if winner is not None else (),
            original=original,
        )

    @property
    def _has_original(self) -> bool:
        """Whether all candidates are compared with one original: the domain names it, or there is one founder."""
        return self._population.founders == 1 or (self._task is not None and self._task.original is not None)

    def _fell(self) -> tuple[Reason, ...]:
        return self._population.founder_fell() if self._has_original else self._population.founders_fell()

    def _ancestor(self, winner: Winner | None) -> dict[str, str]:
        """Return the files of the founder that a winner descends from, to compare it with its own origin."""
        path = self._population.descent(winner.genome_id) if winner is not None else []
        return path[0].files if path else {}

    def _original(self) -> dict[str, str]:
        if self._task is not None and self._task.original is not None:
            return self._task.original
        founder = self._population.genomes.get(self._population.founder or "")
        return founder.files if founder is not None else {}

    def _winner(self, niche: str) -> Winner | None:
        adopted = self._gate.champion(self._population, niche)
        bred = self._population.genome_of(adopted.candidate_id) if adopted is not None else None
        if adopted is None or adopted.state == "revoked" or bred is None:
            return None
        known = self._population.candidates[adopted.candidate_id]
        return Winner(
            candidate_id=known.id,
            genome_id=bred.id,
            birth=known.birth,
            state=adopted.state,
            replaces=adopted.replaces,
            total=known.total,
            gains=known.gains,
            speedup=known.speedup,
            files=bred.files,
            verdict=self._claimed(adopted.verdict),
            time=speed_seen(adopted.verdict),
            audits=tuple(known.audits),
        )

    def _claimed(self, verdict: Verdict) -> Verdict:
        """Return the verdict without its interval on differing results, if only scores were compared."""
        if self._task is None or self._task.view.same_answers:
            return verdict
        kept = tuple(each for each in verdict.intervals if each.name != "mismatch_rate")
        return verdict.model_copy(update={"intervals": kept})

    def _front(self, winners: Collection[str]) -> tuple[FrontRow, ...]:
        objectives = tuple(self._task.view.objectives) if self._task is not None else ()
        return front_of(self._population, objectives, winners, has_original=self._has_original)

    def _lineage(self, genome_id: str, original: Files) -> list[LineageStep]:
        path = self._population.descent(genome_id)
        return [self._step(bred, before, original) for before, bred in zip([None, *path], path, strict=False)]

    def _step(self, bred: Bred, before: Bred | None, original: Files) -> LineageStep:
        known = self._population.candidate_of(bred.id)
        others = [self._population.genomes[name].birth for name in bred.parents[1:] if name in self._population.genomes]
        earlier = self._population.inherited(bred.id)
        files = before.files if before is not None else original if earlier is not None else bred.files
        return LineageStep(
            genome_id=bred.id,
            candidate_id=known.id if known else None,
            birth=bred.birth,
            operator=bred.operator,
            note=bred.note,
            others=tuple(others),
            total=known.total if known else None,
            speedup=known.speedup if known else None,
            patch=unified_patches(files, bred.files),
            inherited=earlier.run_id if earlier is not None else None,
        )

    def _rejected(self, winners: Collection[str]) -> BestRejected | None:
        """Return the fittest one that the gate refused, else the fittest unchallenged one, else the best failed one."""
        mine = [each for each in self._population.scored() if each.id not in winners]
        for known in mine:
            if refused := self._gate.refused(known.id):
                return self._told(known, *refused)
        for known in mine:
            if not any(each.candidate_id == known.id for each in self._gate.adoptions):
                return self._told(known, "unchallenged", (self._unchallenged(),))
        fallen = self._population.nearest_fallen()
        return self._told(fallen, "examination", fallen.fell) if fallen is not None else None

    def _unchallenged(self) -> Reason:
        rival = " of the original" if self._has_original else ""
        if self._champions_before:
            rival = " of the champion of an earlier run"
        told = f"It was not enough ahead{rival} for a challenge, or the run ended before its turn."
        return Reason(code="not_challenged", message=told)

    def _told(self, known: Examined, by: RefusedBy, reasons: tuple[Reason, ...]) -> BestRejected:
        bred, checked = self._population.genome_of(known.id), known.checked
        return BestRejected(
            candidate_id=known.id,
            birth=known.birth,
            operator=bred.operator if bred else None,
            note=bred.note if bred else "",
            total=known.total,
            speedup=known.speedup,
            by=by,
            reasons=reasons,
            files=bred.files if bred else {},
            verdict=self._gate.verdict_on(known.id),
            right=checked.right if checked else None,
            cases=checked.cases if checked else None,
        )

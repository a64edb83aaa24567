"""A run, told whole: a pure fold over its events."""

from __future__ import annotations

from typing import Self

from mendel.contracts.events.candidate import FitnessScored
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import OperationFailed, OperationStarted
from mendel.contracts.events.run import (
    RUN_STATUS_AFTER,
    RunCancelled,
    RunCapReached,
    RunCompleting,
    RunConfigured,
    RunFailed,
    RunStopped,
    RunStopping,
)
from mendel.contracts.run_config import RunConfig
from mendel.contracts.scoring import FitnessScore
from mendel.contracts.statuses import RunStatus
from mendel.contracts.verdicts import Reason, Verdict
from mendel.projections.founders import EarlierChampion, champions_before, niches_before
from mendel.projections.report.front import front_of
from mendel.projections.report.gatekeeping import Gatekeeping, speed_seen
from mendel.projections.report.models import (
    BestRejected,
    CapEnding,
    FrontRow,
    LineageStep,
    NicheRow,
    RefusedBy,
    ReportView,
    TaskRow,
    Winner,
)
from mendel.projections.report.patch import unified_patches
from mendel.projections.report.population import Bred, Examined, Population
from mendel.projections.report.rows import Rows
from mendel.projections.report.tallies import Calls, Curve, Operators, Tallies


class ReportFold:
    """Folds events into a ``ReportView``, by the rows of their domain; feed it every event of one run in order."""

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

    def take(self, event: Event) -> Self:
        """Fold one event."""
        self._first = self._first or event
        self._last = event
        self._status = RUN_STATUS_AFTER.get(event.type, self._status)
        self._population.take(event)
        self._gate.take(event)
        self._tallies.take(event)
        self._calls.take(event)
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

    # --- telling ---------------------------------------------------------------------------------------------

    def view(self) -> ReportView | None:
        """What there is to say; nothing before the first event."""
        if self._first is None or self._last is None:
            return None
        niches, config = self._niches(), self._config
        winner = next((each.winner for each in niches if each.winner is not None), None)
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
            original_total=self._population.total_of(self._population.founder or ""),
            original_fell=self._population.founder_fell(),
            best=self._curve.best,
            champion_before=self._champions_before.get(self._first_niche),
            niches=niches,
            winner=winner,
            challenges=self._gate.rows(self._population),
            lineage=tuple(self._lineage(winner.genome_id)) if winner else (),
            curve=self._curve.points(),
            counts=self._tallies.counts(len(self._gate.asked)),
            operators=self._operators.rows(),
            cost=self._tallies.cost(),
            rejected=self._rejected(winner),
            front=self._front(winner),
            calls=self._calls.rows(config.models if config else None),
            capped=self._capped(),
        )

    def _capped(self) -> CapEnding | None:
        """The cap that ended the run; one that only stood in the way of something did not."""
        ended = self._ended or ""
        return next((told for cap, told in self._caps.items() if ended.startswith(f"{cap} reached")), None)

    @property
    def _first_niche(self) -> str:
        return self._config.first_niche if self._config is not None else ""

    @property
    def _champions_before(self) -> dict[str, EarlierChampion]:
        return champions_before(self._config) if self._config is not None else {}

    def _niches(self) -> tuple[NicheRow, ...]:
        """Those that the run was configured with; those too that a damaged log speaks of without that."""
        before = niches_before(self._config) if self._config is not None else {}
        names = dict.fromkeys([*before, *self._gate.niches])
        return tuple(self._niche(name, before.get(name, 0)) for name in names)

    def _niche(self, name: str, before: int) -> NicheRow:
        spent = [each for each in self._gate.spent.values() if each.niche == name]
        curve = self._curves.get(name, Curve())
        return NicheRow(
            niche=name,
            alpha=self._config.alpha if self._config is not None else None,
            challenges_before=before,
            k=max((each.k for each in spent), default=before),
            spent=sum(each.alpha for each in spent),
            champion_before=self._champions_before.get(name),
            winner=self._winner(name),
            best=curve.best,
            challenges=self._gate.rows(self._population, name),
            curve=curve.points(),
        )

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
        """Where scores were compared and answers were not, nothing is claimed about the same answers."""
        if self._task is None or self._task.view.same_answers:
            return verdict
        kept = tuple(each for each in verdict.intervals if each.name != "mismatch_rate")
        return verdict.model_copy(update={"intervals": kept})

    def _front(self, winner: Winner | None) -> tuple[FrontRow, ...]:
        objectives = tuple(self._task.view.objectives) if self._task is not None else ()
        return front_of(self._population, objectives, winner.candidate_id if winner is not None else None)

    def _lineage(self, genome_id: str) -> list[LineageStep]:
        path = self._population.descent(genome_id)
        return [self._step(bred, before) for before, bred in zip([None, *path], path, strict=False)]

    def _step(self, bred: Bred, before: Bred | None) -> LineageStep:
        known = self._population.candidate_of(bred.id)
        others = [self._population.genomes[name].birth for name in bred.parents[1:] if name in self._population.genomes]
        earlier = self._population.inherited(bred.id)
        files = before.files if before is not None else self._original() if earlier is not None else bred.files
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

    def _rejected(self, winner: Winner | None) -> BestRejected | None:
        """Of those that somebody refused the fittest, else of those nobody asked for, else the nearest that fell."""
        mine = [each for each in self._population.scored() if winner is None or each.id != winner.candidate_id]
        for known in mine:
            if refused := self._gate.refused(known.id):
                return self._told(known, *refused)
        for known in mine:
            if not any(each.candidate_id == known.id for each in self._gate.adoptions):
                return self._told(known, "unchallenged", (self._unchallenged(),))
        fallen = self._population.nearest_fallen()
        return self._told(fallen, "examination", fallen.fell) if fallen is not None else None

    def _unchallenged(self) -> Reason:
        rival = "the original" if not self._champions_before else "the champion of an earlier run"
        told = f"It was not enough ahead of {rival} for a challenge, or the run ended before its turn came."
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

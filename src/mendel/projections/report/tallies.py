"""Running figures of a run: what became of everybody, how operators did, what it cost, how it climbed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from mendel.contracts.energy import Usage
from mendel.contracts.events.candidate import CandidateInvalidated, CandidateRejected, FitnessScored
from mendel.contracts.events.energy import EnergySpent, LlmCallTelemetry, ProviderCallFailed
from mendel.contracts.events.envelope import Event
from mendel.contracts.events.gate import AdoptionMade
from mendel.contracts.events.genome import GenomeSpawned
from mendel.contracts.events.operation import Operation, OperationCompleted, OperationFailed, OperationStarted
from mendel.contracts.events.run import RunConfigured, RunStarted
from mendel.contracts.model_plans import ModelPlan
from mendel.contracts.providers import ModelRole, ModelRoute, ProviderMeta
from mendel.projections.report.models import (
    CallRow,
    Cost,
    Counts,
    CurvePoint,
    ExaminationRow,
    OperatorRow,
    TaskRow,
    TimingRow,
)
from mendel.projections.report.rows import Rows

MOST_POINTS: Final = 400
DUPLICATE: Final = "duplicate"
MOST_FAILURES: Final = 5
"""So many reasons why variations failed are told."""
RAISED: Final = "handler_raised"
"""The code of a step that raised what nobody expected: its message says little without the exception's name."""
_LONGEST: Final = 300

UNKNOWN: Final = "unknown"


class Tallies:
    """Counts and cost.

    A duplicate that falls before it is examined is invalid, and has no code: it is known by how its reason begins.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._twin: str | None = None
        self._tally: Counter[str] = Counter()
        self._fell: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._scored: set[str] = set()
        self._within: set[str] = set()
        self._varying: set[str] = set()
        self._allowed: dict[str, Usage] = {}
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
            case OperationCompleted(operation_id=name, findings=findings, usage=usage):
                self._varying.discard(name)
                self._allowed.pop(name, None)
                self._use(usage if name not in self._within else Usage())
                found = self._rows.of(findings)
                self._tally["examined"] += isinstance(found, ExaminationRow)
                self._tally["timed"] += isinstance(found, TimingRow)
            case OperationFailed(operation_id=name, usage=usage) as failure:
                if name in self._varying:
                    self._tally["barren"] += 1
                    self._failures[_why(failure)] += 1
                self._varying.discard(name)
                if usage != self._allowed.pop(
                    name, None
                ):  # else nobody measured it, and it is charged what it may take
                    self._use(usage if name not in self._within else Usage())

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
        """Candidates examined so far."""
        return self._tally["examined"]

    def since_start(self, moment: datetime) -> float:
        """Seconds since the run began; since its first event where it never did."""
        began = self._began or self._first or moment
        return max(0.0, (moment - began).total_seconds())

    def counts(self, challenged: int) -> Counts:
        """What became of everybody."""
        told = {name: self._tally[name] for name in ("births", "barren", "duplicates", "examined", "timed", "adopted")}
        failures = dict(_most_frequent_first(self._failures)[:MOST_FAILURES])
        fell = dict(_most_frequent_first(self._fell))
        return Counts(**told, failures=failures, fell=fell, scored=len(self._scored), challenged=challenged)

    def cost(self) -> Cost:
        """What it took."""
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


def _why(failure: OperationFailed) -> str:
    message = " ".join(failure.message.split())
    return (f"{failure.error_type}: {message}" if failure.error_code == RAISED else message)[:_LONGEST]


class Curve:
    """The best total so far."""

    def __init__(self) -> None:
        self._rises: list[CurvePoint] = []
        self._last: CurvePoint | None = None

    @property
    def best(self) -> float | None:
        """The highest total."""
        return self._rises[-1].best if self._rises else None

    def scored(self, birth: int, total: float, examined: int, seconds: float) -> None:
        """A candidate has a fitness."""
        best = total if self.best is None else max(total, self.best)
        self._last = CurvePoint(birth=birth, examined=examined, seconds=seconds, best=best)
        if self.best is None or total > self.best:
            self._rises.append(self._last)

    def points(self, most: int = MOST_POINTS) -> tuple[CurvePoint, ...]:
        """Where it rose, and where it was last; as many as can be told apart, both ends among them."""
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
    """What each source of models was asked, by role."""

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
        """In the order in which they were first asked; ``plan`` has their names."""
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
    """How operators did. A birth counts for the operator that made it, a failure for the one that was asked for."""

    def __init__(self) -> None:
        self._asked: dict[str, str] = {}
        self._tried: dict[str, _Tried] = {}
        self._made: dict[str, str] = {}
        self._rated: set[str] = set()

    def asked(self, operation: Operation) -> None:
        """A variation begins."""
        if operation.kind == "vary":
            self._asked[operation.id] = operation.operator or UNKNOWN

    def failed(self, operation_id: str) -> None:
        """It made nothing."""
        name = self._asked.pop(operation_id, None)
        if name is not None:
            tried = self._of(name)
            tried.tries += 1
            tried.barren += 1

    def born(self, genome_id: str, operator: str | None, operation_id: str | None) -> None:
        """It made a genome; founders are nobody's."""
        name = operator or self._asked.get(operation_id or "")
        self._asked.pop(operation_id or "", None)
        if name is not None:
            self._made[genome_id] = name
            self._of(name).tries += 1

    def scored(self, genome_id: str, total: float, parents: float | None) -> None:
        """A candidate of the genome has its first fitness; the best of its parents had ``parents``."""
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
        """The most useful first."""
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

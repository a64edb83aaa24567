"""Counts of the results so far: all that a decision needs, in memory that does not depend on the size of inputs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import NOTHING_USED, Outcome, ResourceUse
from mendel.guard.checking import Breach, Checker
from mendel.guard.observing import Answers
from mendel.guard.spec import Metric, TaskSpec, shown
from mendel.guard.statistics.samples import Paired
from mendel.guard.trials import Trial

MOST_KEPT: Final = 25
"""Maximum number of trials with a breach that are kept whole; further ones are only counted."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A trial with both sides' answers and breaches."""

    trial: Trial
    candidate: Answers
    baseline: Answers | None
    against_candidate: tuple[Breach, ...]
    against_baseline: tuple[Breach, ...] = ()


@dataclass
class SideTally:
    """The counts of one side."""

    passes: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    soft: Counter[str] = field(default_factory=Counter)
    usage: ResourceUse = NOTHING_USED
    nones: int = 0

    def note(self, outcome: Outcome, against: Sequence[Breach], soft: Sequence[str]) -> None:
        """Count one answer."""
        self.passes += not against
        if soft:
            self.soft.update(soft)
        if outcome.kind != "value":
            self.failures[outcome.kind] += 1
        elif outcome.value is None:
            self.nones += 1


@dataclass
class MetricTally:
    """A metric's values on the trials where both sides have one; ``missing`` counts the other trials with answers."""

    baseline: list[float] = field(default_factory=list)
    candidate: list[float] = field(default_factory=list)
    clusters: list[Hashable] = field(default_factory=list)
    missing: int = 0


class Tally:
    """Counts judged trials."""

    def __init__(self, spec: TaskSpec, checker: Checker, metrics: Sequence[Metric]) -> None:
        self._spec = spec
        self._checker = checker
        self._metrics = metrics
        self.n = 0
        self.candidate, self.baseline = SideTally(), SideTally()
        self.cells = [0, 0, 0, 0]  # both pass, only the candidate, only the baseline, neither
        self.differences: list[int] = []
        self.candidate_passed: list[int] = []
        self.clusters: list[Hashable] = []
        self.relations = {relation.name: [0, 0, 0, 0] for relation in spec.relations}
        self.metrics = {metric.name: MetricTally() for metric in metrics}
        self.kept: list[Judged] = []

    @property
    def paired(self) -> Paired:
        """The passes of both sides, paired by trial."""
        return Paired(*self.cells)

    @property
    def cluster_numbers(self) -> list[int]:
        """The cluster number of each trial, by first appearance; without a cluster key each trial is a cluster."""
        return numbered(self.clusters) if self.clusters else list(range(self.n))

    @property
    def independent(self) -> int:
        """The number of independent observations: clusters, or trials where there are no clusters."""
        return len(set(self.clusters)) if self.clusters else self.n

    def add(self, judged: Judged) -> None:
        """Count one trial."""
        self.n += 1
        ours = not judged.against_candidate
        theirs = judged.baseline is None or not judged.against_baseline
        self.cells[(not ours) * 2 + (not theirs)] += 1  # in the order of the fields of Paired
        self.differences.append(ours - theirs)
        self.candidate_passed.append(int(ours))
        self._note_sides(judged)
        if self._spec.cluster_key is not None:
            self.clusters.append(_clustered(self._spec, judged.trial.args))
        for place, name in enumerate(self.relations):
            self._note_relation(name, place, judged)
        for metric in self._metrics:
            self._note_metric(metric, judged)
        if (judged.against_candidate or judged.against_baseline) and len(self.kept) < MOST_KEPT:
            self.kept.append(judged)

    def _note_sides(self, judged: Judged) -> None:
        soft = self._checker.soft_breaches
        self.candidate.note(judged.candidate.original, judged.against_candidate, soft(judged.trial, judged.candidate))
        if judged.baseline is not None:
            self.baseline.note(judged.baseline.original, judged.against_baseline, soft(judged.trial, judged.baseline))

    def _note_relation(self, name: str, place: int, judged: Judged) -> None:
        if judged.trial.variants[place] is None:
            return
        ours = _holds(name, judged.against_candidate)
        theirs = _holds(name, judged.against_baseline)
        self.relations[name][(not ours) * 2 + (not theirs)] += 1

    def _note_metric(self, metric: Metric, judged: Judged) -> None:
        ours = judged.candidate.original
        theirs = judged.baseline.original if judged.baseline is not None else ours  # absolute mode has one side
        if not (ours.succeeded and theirs.succeeded):
            return
        known = _extracted(metric, theirs.value, judged.trial, self._spec.name, trusted=judged.baseline is not None)
        found = _extracted(metric, ours.value, judged.trial, self._spec.name, trusted=False)
        tally = self.metrics[metric.name]
        if found is None or known is None or not math.isfinite(found - known):
            tally.missing += 1
        else:
            tally.baseline.append(known)
            tally.candidate.append(found)
            tally.clusters.append(self.clusters[-1] if self.clusters else self.n)  # else a cluster of its own


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Replace keys by numbers, in the order of their first appearance."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _holds(relation: str, against: Sequence[Breach]) -> bool:
    return not any(breach.kind == "relation" and breach.name == relation for breach in against)


def _clustered(spec: TaskSpec, args: tuple[Any, ...]) -> Hashable:
    key = _own(spec.cluster_key, f"task {spec.name!r}: cluster_key", args) if spec.cluster_key else None
    try:
        hash(key)
    except TypeError as error:
        raise SpecFailed(f"task {spec.name!r}: cluster_key returns a value that is not hashable: {error}") from error
    return key


def _extracted(metric: Metric, value: Any, trial: Trial, name: str, *, trusted: bool) -> float | None:  # noqa: ANN401
    """Return a metric's value; None where a candidate has none. A baseline without a value fails the task."""
    try:
        number = float(_own(metric.extract, f"task {name!r}: metric {metric.name!r}", value, trial.args))
        if math.isfinite(number):
            return number
        problem = SpecFailed(
            f"task {name!r}: metric {metric.name!r} is {number} for the baseline on {shown(trial.args)[:300]}"
        )
    except SpecFailed as error:
        problem = error
    except (TypeError, ValueError, OverflowError) as error:
        problem = SpecFailed(f"task {name!r}: metric {metric.name!r} is not a number: {error}")
    if trusted:
        raise problem
    return None


def _own(function: Callable[..., Any], what: str, *args: Any) -> Any:  # noqa: ANN401 - a task's own code
    try:
        return function(*args)
    # Broad on purpose: a task's own code is a boundary, and any error in it is reported as the task's failure.
    except (Exception, SystemExit) as error:
        raise SpecFailed(f"{what} raised {type(error).__name__}: {error}") from error

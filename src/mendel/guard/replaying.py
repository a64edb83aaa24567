"""Replaying recorded violations: the same input and the same sources, in fresh processes."""

from __future__ import annotations

from dataclasses import dataclass

from mendel.contracts.errors import ConfigError, ContractError
from mendel.contracts.value_json import from_json
from mendel.contracts.verdicts import Violation
from mendel.guard.checking import Breach
from mendel.guard.config import configured
from mendel.guard.evaluation import Evaluation, same_breach
from mendel.guard.report import Report
from mendel.guard.spec import Args, TaskSpec
from mendel.guard.violations import violation
from mendel.ports.sandbox import Sandbox


@dataclass(frozen=True)
class Replayed:
    """A violation as recorded, and as replayed; ``now`` is None if the replay has no violation by that side."""

    recorded: Violation
    now: Violation | None

    @property
    def holds(self) -> bool:
        """Whether the replay shows the same kind of violation with the same name."""
        return self.now is not None and (self.now.kind, self.now.name) == (self.recorded.kind, self.recorded.name)


async def replay(report: Report, spec: TaskSpec, sandbox: Sandbox, which: int | None = None) -> list[Replayed]:
    """Run the violations of a report again, or only number ``which``.

    Raises:
        ConfigError: there is no violation ``which``, or recorded arguments cannot be read.
    """
    recorded = report.verdict.violations
    if which is not None and not 0 <= which < len(recorded):
        raise ConfigError(f"the report has {len(recorded)} violations, counted from 0; there is no number {which}")
    chosen = recorded if which is None else (recorded[which],)
    config = configured(report.config, shrink=False, mode=report.verdict.mode)  # the recorded input is already small
    baseline = None if report.baseline is None else report.baseline.program
    evaluation = Evaluation(spec, baseline, report.candidate.program, config, sandbox, lambda _done, _whole: None)
    return [Replayed(each, await _now(evaluation, each)) for each in chosen]


async def _now(evaluation: Evaluation, recorded: Violation) -> Violation | None:
    trial = evaluation.trials.one(recorded.case, _input(evaluation, recorded))
    judged = await evaluation.judged_alone(trial)
    against = judged.against_candidate if recorded.side == "candidate" else judged.against_baseline
    wanted = Breach(recorded.kind, recorded.name)
    found = same_breach(wanted, against) or (against[0] if against else None)  # else show what fails now
    return None if found is None else violation(evaluation, judged, found, side=recorded.side, shrunk=recorded.shrunk)


def _input(evaluation: Evaluation, recorded: Violation) -> Args:
    """Return the recorded arguments; where they were too large to store, draw the case again."""
    if recorded.arguments is None:
        return evaluation.inputs[recorded.case]
    try:
        return tuple(from_json(value) for value in recorded.arguments)
    except ContractError as error:
        raise ConfigError(f"the arguments of case {recorded.case} cannot be read: {error}") from error

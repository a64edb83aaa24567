"""The state of one evaluation: both sides, the results so far, and the warnings for the report."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.contracts.evaluations import Isolation, Outcome, Program
from mendel.contracts.plain_values import identical
from mendel.contracts.verdicts import Decision, Interval, Look, MetricComparison, Reason, Violation
from mendel.guard.checking import Breach, Checker
from mendel.guard.codes import Code
from mendel.guard.config import GuardConfig
from mendel.guard.inputs import draw
from mendel.guard.observing import Answers, Observed, Observer
from mendel.guard.policy import Mode, Policy
from mendel.guard.spec import TIME, Args, Metric, TaskSpec
from mendel.guard.tally import Judged, Tally
from mendel.guard.trials import Trial, Trials
from mendel.ports.sandbox import Sandbox, cramped

Announce = Callable[[int, int], None]
"""A callback with the number of judged cases and the number of all cases."""


@dataclass(frozen=True)
class Conclusion:
    """A decision with its reasons and evidence; :mod:`mendel.guard.gate` makes the verdict on a candidate from it."""

    decision: Decision
    reasons: tuple[Reason, ...]
    intervals: tuple[Interval, ...] = ()
    violations: tuple[Violation, ...] = ()
    n_to_decide: int | None = None
    flaky: bool = False


def said(code: Code, message: str) -> Reason:
    """Build a reason whose message can be stored: no lone surrogates, no NUL, at most 10,000 characters."""
    return Reason(code=code, message=message.encode("utf-8", "replace").decode().replace("\0", "�")[:10_000])


class Evaluation:
    """The work that all modes share: observing both sides, judging trials, counting them."""

    def __init__(
        self,
        spec: TaskSpec,
        baseline: Program | None,
        candidate: Program,
        config: GuardConfig,
        sandbox: Sandbox,
        announce: Announce,
    ) -> None:
        self.spec, self.baseline, self.candidate = spec, baseline, candidate
        self.config = config.settled()
        self.policy: Policy = self.config.resolved_policy()
        self.mode = mode_of(spec, self.config, self.policy, compared=baseline is not None)
        self.checker = Checker(spec)
        self.observer = Observer(sandbox, spec, self.config)
        self.sandbox = sandbox
        self.trials = Trials(spec, self.config.seed)
        self.metrics, self.timed = chosen_metrics(spec, self.config)
        self.tally = Tally(spec, self.checker, self.metrics)
        self.isolation: Isolation | None = None
        self.warnings: list[Reason] = []
        self.looks: list[Look] = []
        self.ratios: list[tuple[float, float]] = []
        self.compared: dict[tuple[int, int, float], dict[str, MetricComparison]] = {}  # cache of compared_metrics
        self.changing: list[int] = []
        self.late = 0  # timeouts that were forgiven
        self._announce = announce
        self._inputs: list[Args] | None = None

    @property
    def inputs(self) -> list[Args]:
        """All inputs, drawn on first access.

        Raises:
            SpecFailed: the generator raised, or returned too few inputs.
        """
        if self._inputs is None:
            self._inputs = draw(self.spec, self.config.n, self.config.seed)
        return self._inputs

    async def next_batch(self, until: int, *, recheck: float = 0.0) -> tuple[list[Judged], tuple[int, ...]]:
        """Judge the next inputs, up to number ``until``; also return the trials that a fresh process contradicts.

        The results are not counted yet.
        """
        first = self.tally.n
        # In threads: drawing and judging run the task's code, which may be slow and must not block the event loop.
        trials = await asyncio.to_thread(lambda: self.trials.of(self.inputs[first:until], first))
        if self.baseline is None:
            ours, theirs = await self.observer.observe(self.candidate, trials, recheck=recheck), None
        else:
            ours, theirs = await asyncio.gather(
                # In exact mode a single death rejects, so the rest of its batch need not run.
                self.observer.observe(self.candidate, trials, recheck=recheck, until_death=self.mode == "exact"),
                self.observer.observe(self.baseline, trials),
            )
        self._note(ours, theirs)
        judged = await asyncio.to_thread(self._judge_all, trials, ours, theirs)
        return judged, ours.changing

    def _note(self, ours: Observed, theirs: Observed | None) -> None:
        self.tally.candidate.usage += ours.usage
        if theirs is not None:
            self.tally.baseline.usage += theirs.usage
            check_loaded(theirs.answers)
        for seen in (ours, theirs):
            if seen is not None and (self.isolation is None or self.isolation.adoptable):
                self.isolation = seen.isolation  # a weak one stays: later batches do not make up for what it allowed

    def _judge_all(self, trials: Sequence[Trial], ours: Observed, theirs: Observed | None) -> list[Judged]:
        if theirs is None:
            return [self.judge(trial, answers, None) for trial, answers in zip(trials, ours.answers, strict=True)]
        return [
            self.judge(trial, candidate, baseline)
            for trial, candidate, baseline in zip(trials, ours.answers, theirs.answers, strict=True)
        ]

    def judge(self, trial: Trial, candidate: Answers, baseline: Answers | None) -> Judged:
        """Collect the breaches of either side; in exact mode, also the mismatches with the baseline."""
        against = self.checker.breaches(trial, candidate)
        if baseline is None:
            return Judged(trial, candidate, None, against)
        against_baseline = self.checker.breaches(trial, baseline)
        if self.mode == "exact":
            if _both_raise(candidate, baseline):
                against, against_baseline = (), ()  # to raise is no breach here; mismatches compare the errors below
            alike = _variants_both_raise(candidate, baseline)
            against = tuple(each for each in against if each.place not in alike)
            against_baseline = tuple(each for each in against_baseline if each.place not in alike)
            against += tuple(self.checker.mismatches(candidate, baseline))
        return Judged(trial, candidate, baseline, against, against_baseline)

    async def seen_again(self, judged: Sequence[Judged]) -> list[Judged]:
        """Observe the candidate on the same trials again, in one batch and in the same order."""
        ours = await self.observer.observe(self.candidate, [each.trial for each in judged], until_death=True)
        pairs = zip(judged, ours.answers, strict=True)
        return [self.judge(each.trial, answers, each.baseline) for each, answers in pairs]

    async def judged_alone(self, trial: Trial) -> Judged:
        """Judge a trial again, with a fresh process for each call."""
        candidate = await self.observer.alone(self.candidate, trial)
        baseline = None if self.baseline is None else await self.observer.alone(self.baseline, trial)
        return self.judge(trial, candidate, baseline)

    def count(self, judged: Sequence[Judged]) -> None:
        """Count trials whose judgement is final."""
        for each in judged:
            self.tally.add(each)
        self._announce(self.tally.n, self.config.n)

    def warn(self, code: Code, message: str) -> None:
        """Add a warning to the report, unless it is already there."""
        warning = said(code, message)
        if warning not in self.warnings:
            self.warnings.append(warning)


def mode_of(spec: TaskSpec, config: GuardConfig, policy: Policy, *, compared: bool) -> Mode:
    """Return the configured mode, or else the one that fits the policy and the sides.

    Raises:
        ConfigError: the mode compares and there is no baseline, or nothing could fail in the mode.
    """
    alone = policy.kind == "absolute" or (not compared and config.min_pass_rate is not None)
    mode: Mode = config.mode or ("absolute" if alone else "exact")
    if mode != "absolute" and not compared:
        raise ConfigError(
            f"{mode} mode compares the candidate with a baseline; give one, or use absolute mode"
            " (policy = absolute:min_pass_rate=0.95)"
        )
    if mode != "exact" and not (spec.hard or spec.relations):
        raise ConfigError(
            f"{mode} mode counts how often hard properties and relations hold, but task {spec.name!r} has none"
        )
    if mode != "absolute" and policy.kind == "absolute":
        raise ConfigError(f"the policy {policy} is for absolute mode, not for {mode} mode")
    return mode


def chosen_metrics(spec: TaskSpec, config: GuardConfig) -> tuple[list[Metric], bool]:
    """Return the task's metrics to compare, and whether to compare time.

    Raises:
        ConfigError: a name is neither a metric of the task nor ``time``.
    """
    if config.metrics is None:
        return list(spec.metrics), False
    known = {metric.name: metric for metric in spec.metrics}
    strangers = [name for name in config.metrics if name not in known and name != TIME]
    if strangers:
        names = ", ".join([*known, TIME])
        raise ConfigError(f"task {spec.name!r} has no metric {strangers[0]!r}; known are {names}")
    return [known[name] for name in config.metrics if name != TIME], TIME in config.metrics


def check_loaded(answers: Sequence[Answers]) -> None:
    """Refuse a baseline that cannot be loaded.

    Raises:
        SpecFailed: it cannot be loaded, so there is nothing to compare with.
    """
    outcome = answers[0].original if answers else None
    if outcome is not None and outcome.error_code == "SANDBOX_LOAD_FAILED":
        raise SpecFailed(f"the baseline cannot be loaded: {outcome.error_type}: {outcome.message}")


def changed(first: Answers, again: Answers) -> bool:
    """Return whether the same calls have different answers; calls that ran out of a resource are not compared."""
    pairs = zip((first.original, *first.variants), (again.original, *again.variants), strict=True)
    return any(
        before is not None and after is not None and not (cramped(before) or cramped(after)) and _differ(before, after)
        for before, after in pairs
    )


def _differ(before: Outcome, after: Outcome) -> bool:
    kinds = (before.kind, before.error_type), (after.kind, after.error_type)
    return kinds[0] != kinds[1] or not identical(before.value, after.value)


def same_breach(wanted: Breach, found: Sequence[Breach]) -> Breach | None:
    """Return the breach among ``found`` of the same kind and name."""
    return next((each for each in found if (each.kind, each.name) == (wanted.kind, wanted.name)), None)


def _variants_both_raise(candidate: Answers, baseline: Answers) -> set[int]:
    """Find the relations on whose transformed input both sides raise; that is no breach, as on the input itself."""
    pairs = enumerate(zip(candidate.variants, baseline.variants, strict=False))
    return {place for place, (ours, theirs) in pairs if ours and theirs and ours.kind == theirs.kind == "exception"}


def _both_raise(candidate: Answers, baseline: Answers) -> bool:
    return candidate.original.kind == baseline.original.kind == "exception"

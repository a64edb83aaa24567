"""Comparison of metrics and relations between the sides, corrected for multiple testing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, isfinite, log, sqrt
from statistics import fmean, median, stdev
from types import MappingProxyType
from typing import Final

from mendel.contracts.entropy import Entropy
from mendel.contracts.verdicts import Decision, Interval, MetricComparison, MetricSummary, Reason, RelationComparison
from mendel.guard.codes import Code
from mendel.guard.config import GuardConfig
from mendel.guard.evaluation import Conclusion, Evaluation, said
from mendel.guard.intervals import interval
from mendel.guard.spec import TIME, Metric
from mendel.guard.statistics import bootstrap, permutation
from mendel.guard.statistics.effects import cohens_d
from mendel.guard.statistics.means import log_ratio, student
from mendel.guard.statistics.multiple import CORRECTIONS
from mendel.guard.statistics.paired import mcnemar
from mendel.guard.statistics.samples import Bounds, Paired
from mendel.guard.statistics.special import student_cdf
from mendel.guard.tally import MetricTally, numbered

LEAST_VALUES: Final = 2  # a standard deviation needs two
LEAST_CHANCE: Final = 1e-3  # smaller p-values are not resolved, unless alpha is smaller
PRECISION: Final = 1.05  # of p-values, as a factor
MOST_DRAWS: Final = 2_000_000
"""Maximum number of bootstrap draws; where alpha would need more, Student's bounds are used instead."""


def compared_metrics(evaluation: Evaluation, alpha: float) -> dict[str, MetricComparison]:
    """Compare each metric on both sides, with corrected p-values of "no better" and "no worse"."""
    key = (evaluation.tally.n, len(evaluation.ratios), alpha)
    if key not in evaluation.compared:  # cached: the decision and the report both need it, and resampling is slow
        evaluation.compared[key] = _all_compared(evaluation, alpha)
    return evaluation.compared[key]


def _all_compared(evaluation: Evaluation, alpha: float) -> dict[str, MetricComparison]:
    found = {
        metric.name: _compared(metric, evaluation.tally.metrics[metric.name], evaluation, alpha)
        for metric in evaluation.metrics
        if len(evaluation.tally.metrics[metric.name].baseline) >= LEAST_VALUES and evaluation.baseline is not None
    }
    if len(evaluation.ratios) >= LEAST_VALUES:
        found[TIME] = _times(evaluation.ratios, alpha, evaluation.config.min_speedup)
    return _corrected(found, evaluation.config)


def compared_relations(evaluation: Evaluation) -> dict[str, RelationComparison]:
    """Compare how often each side violates each relation, with corrected p-values of "no worse"."""
    cells = {name: Paired(*counts) for name, counts in evaluation.tally.relations.items()}
    chances = CORRECTIONS[evaluation.config.correction]([mcnemar(paired) for paired in cells.values()])
    categories = {relation.name: relation.category for relation in evaluation.spec.relations}
    return {
        name: RelationComparison(
            category=categories[name],
            n=paired.n,
            baseline_violations=paired.n - paired.baseline_passes,
            candidate_violations=paired.n - paired.candidate_passes,
            p_worse=chance,
        )
        for (name, paired), chance in zip(cells.items(), chances, strict=True)
    }


def superiority(evaluation: Evaluation, alpha: float, agreement: Reason, drawn: Interval) -> Conclusion:
    """Conclude on superiority in exact mode: better in at least one metric, and worse in none."""
    metrics = compared_metrics(evaluation, alpha)
    worse = regressions(metrics, evaluation.config.alpha)
    if worse:
        return Conclusion(Decision.REJECT, tuple(worse), (drawn,))
    better = [name for name, each in metrics.items() if each.p_better is not None and each.p_better <= alpha]
    if better:
        reasons = [said(Code.SUPERIOR, _described(name, metrics[name])) for name in better]
        return Conclusion(Decision.ADOPT, (*reasons, agreement), (drawn, *(metrics[name].delta for name in better)))
    open_ones = [name for name, each in metrics.items() if not _flat(each)]
    seen = "; ".join(_described(name, metrics[name]) for name in metrics)
    if open_ones:
        message = f"its answers agree, but it is not settled whether it is better: {seen}"
        return Conclusion(Decision.UNDECIDED, (said(Code.NOT_SHOWN, message), agreement), (drawn,))
    message = "its answers agree, but it is not better in any metric: " + (
        seen or "none was compared; name one (time, or a metric of the task), or use the policy noninferiority"
    )
    return Conclusion(Decision.REJECT, (said(Code.NOT_SUPERIOR, message), agreement), (drawn,))


def regressions(metrics: Mapping[str, MetricComparison], alpha: float) -> list[Reason]:
    """Return a reason for each metric in which the candidate is worse."""
    return [
        said(Code.METRIC_REGRESSED, f"worse in {_described(name, each)}")
        for name, each in metrics.items()
        if each.p_worse is not None and each.p_worse <= alpha
    ]


def relation_regressions(relations: Mapping[str, RelationComparison], alpha: float) -> list[Reason]:
    """Return a reason for each relation that the candidate violates more often."""
    return [
        said(
            Code.RELATION_REGRESSED,
            f"relation {name!r} is violated on {each.candidate_violations} of {each.n} inputs,"
            f" by the baseline on {each.baseline_violations} (p = {each.p_worse:.2g})",
        )
        for name, each in relations.items()
        if each.p_worse <= alpha
    ]


def _flat(compared: MetricComparison) -> bool:
    """Return whether both sides have equal summaries and no delta, so that more cases would show no difference."""
    return compared.baseline == compared.candidate and compared.delta.estimate == 0


def _described(name: str, compared: MetricComparison) -> str:
    delta = compared.delta
    bounds = " to ".join("…" if bound is None else f"{bound:.4g}" for bound in (delta.lower, delta.upper))
    what = "takes" if name == TIME else "changes by"
    unit = " of the time" if name == TIME else ""
    return f"{name}: {what} {delta.estimate:.4g}{unit} ({bounds}, alpha {delta.alpha:.3g})"


def _compared(metric: Metric, values: MetricTally, evaluation: Evaluation, alpha: float) -> MetricComparison:
    deltas = [ours - theirs for ours, theirs in zip(values.candidate, values.baseline, strict=True)]
    scale = _scale(values)

    def bounds_at(level: float) -> Bounds:
        return _bounds(metric, deltas, evaluation, level, scale)

    factor = len(deltas) if metric.kind == "sum" else 1  # bounds on a sum are n times those on the mean
    drawn = interval(metric.name, Bounds(*(factor * each for each in bounds_at(alpha))), alpha, metric.ci_method)
    least = min(LEAST_CHANCE, alpha / max(1, len(evaluation.metrics)))
    rising, falling = _chances(bounds_at, least) if any(deltas) else (0.5, 0.5)  # equal sides need no resampling
    better, worse = (rising, falling) if metric.higher_is_better else (falling, rising)
    return MetricComparison(
        kind=metric.kind,
        higher_is_better=metric.higher_is_better,
        n=len(deltas),
        baseline=_summary(values.baseline),
        candidate=_summary(values.candidate),
        delta=drawn,
        effect_size=_finite(cohens_d(deltas)),
        p_better=better,
        p_worse=worse,
    )


def _bounds(metric: Metric, deltas: Sequence[float], evaluation: Evaluation, alpha: float, scale: float) -> Bounds:
    entropy = Entropy(evaluation.config.seed, "metric", metric.name)
    draws = max(evaluation.config.bootstrap_samples, round(20 / alpha))  # at least 20 draws beyond each bound
    if draws > MOST_DRAWS:
        return student(deltas, alpha, scale)
    if metric.ci_method == "cluster" or evaluation.tally.clusters:
        numbers = numbered(evaluation.tally.metrics[metric.name].clusters)
        return bootstrap.cluster(deltas, numbers, alpha, entropy, draws, scale)
    return _METHODS[metric.ci_method](deltas, alpha, entropy, draws, scale)


_METHODS: Final[Mapping[str, Callable[[Sequence[float], float, Entropy, int, float], Bounds]]] = MappingProxyType(
    {
        "student": lambda deltas, alpha, _entropy, _draws, scale: student(deltas, alpha, scale),
        "studentised": bootstrap.studentised,
        "bca": bootstrap.bca,
        "permutation": permutation.sign_flip_bounds,
    }
)


def _times(ratios: Sequence[tuple[float, float]], alpha: float, min_speedup: float) -> MetricComparison:
    """Compare times: better means faster by a factor of at least ``min_speedup``, worse means slower at all."""
    left, right = [list(side) for side in zip(*ratios, strict=True)]
    bounds = log_ratio(left, right, alpha)
    slower, _ = _log_chances(ratios)
    _, faster = _log_chances([(before, after * min_speedup) for before, after in ratios])  # as if that much slower
    return MetricComparison(
        kind="ratio",
        higher_is_better=False,
        n=len(ratios),
        baseline=_summary(left),
        candidate=_summary(right),
        delta=interval(TIME, bounds, alpha, "log_ratio"),
        p_better=faster,
        p_worse=slower,
    )


def _chances(bounds_at: Callable[[float], Bounds], least: float) -> tuple[float, float]:
    """Return the smallest alphas at which the bounds exclude zero from below, and from above.

    They serve as p-values, so that the decision never contradicts the interval in the report.
    """
    rising = _smallest(lambda alpha: bounds_at(alpha).lower > 0, least)
    return rising, _smallest(lambda alpha: bounds_at(alpha).upper < 0, least)


def _smallest(excluded: Callable[[float], bool], least: float) -> float:
    """Bisect on a logarithmic scale; a smaller value than ``least`` is returned as ``least``."""
    low, high = least, 0.499  # alpha must stay below 0.5
    if not excluded(high):
        return 1.0
    if excluded(low):
        return low
    while high / low > PRECISION:
        middle = sqrt(low * high)
        low, high = (low, middle) if excluded(middle) else (middle, high)
    return high


def _log_chances(ratios: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return Student's one-sided p-values for ratios this high, and this low, if there were no difference."""
    logs = [log(after) - log(before) for before, after in ratios]
    spread = stdev(logs)
    if spread == 0:
        return 1.0, 1.0
    below = student_cdf(fmean(logs) / (spread / sqrt(len(logs))), len(logs) - 1)
    return 1 - below, below


def _corrected(found: dict[str, MetricComparison], config: GuardConfig) -> dict[str, MetricComparison]:
    correct = CORRECTIONS[config.correction]
    better = correct([each.p_better if each.p_better is not None else 1.0 for each in found.values()])
    worse = correct([each.p_worse if each.p_worse is not None else 1.0 for each in found.values()])
    return {
        name: each.model_copy(update={"p_better": better[place], "p_worse": worse[place]})
        for place, (name, each) in enumerate(found.items())
    }


def _scale(values: MetricTally) -> float:
    """Estimate from the observed values how far values of this metric can lie apart."""
    both = [*values.baseline, *values.candidate]
    farthest = max(map(abs, both))
    return max(max(both) - min(both), farthest) or 1.0


def _summary(values: Sequence[float]) -> MetricSummary:
    return MetricSummary(
        n=len(values),
        mean=fmean(values),
        sum=fsum(values),
        median=median(values),
        stdev=stdev(values),
        min=min(values),
        max=max(values),
    )


def _finite(number: float) -> float | None:
    return number if isfinite(number) else None

"""Metrics and relations compared, and what superiority means where answers agree."""

import pytest
from tests.guard.making import judged, said, warned
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.contracts.errors import ConfigError
from mendel.guard import Metric, Property, TaskSpec
from mendel.guard.statistics import bootstrap

NUMBERED = lambda n, seed: [(i,) for i in range(n)]  # noqa: E731
COST = Metric("cost", lambda output, args: output[1], higher_is_better=False)
FIRST = lambda a, b: a[0] == b[0]  # noqa: E731
FEW = {"n": 60, "policy": "superiority:margin=0.05"}


def spec(*metrics: Metric, **parts) -> TaskSpec:
    answers = [Property(lambda output, x: output[0] == x, "answers")]
    return TaskSpec("task", NUMBERED, answers, metrics=metrics or (COST,), equivalence=FIRST, **parts)


def costing(formula: str) -> str:
    return f"def solve(x):\n    return (x, {formula})\n"


BASE = costing("10 + x % 7")


# --- superiority where answers agree -------------------------------------------------------------------------------


@check_rows(
    ("candidate", "expected"),
    [
        ("8 + x % 5", ("adopt", "superior")),
        ("9 + x % 7", ("adopt", "superior")),
        ("14 + x % 7", ("reject", "metric_regressed")),
        ("10 + x % 7", ("reject", "not_superior")),
        ("10 + (x + 1) % 7", ("undecided", "not_shown")),
    ],
)
def test_superiority_asks_for_a_better_metric(candidate, expected):
    report = judged(spec(), BASE, costing(candidate), **FEW)
    assert said(report) == expected


def test_where_no_metric_is_compared_nothing_is_superior():
    report = judged(TaskSpec("task", NUMBERED), BASE, BASE, **FEW)
    assert said(report) == ("reject", "not_superior")
    assert "none was compared" in report.reason


def test_a_metric_that_improves_does_not_outweigh_one_that_regresses():
    gain = Metric("gain", lambda output, args: output[1])
    report = judged(spec(COST, gain), BASE, costing("5 + x % 7"), **FEW)
    assert said(report) == ("reject", "metric_regressed")
    assert "gain" in report.reason


def test_too_few_cases_come_before_superiority():
    assert said(judged(spec(), BASE, costing("1"), n=20, policy="superiority")) == ("undecided", "too_few_cases")


def test_non_inferiority_does_not_ask_for_a_better_metric_but_for_none_that_is_worse():
    asked = {"n": 60, "policy": "noninferiority:margin=0.05"}
    assert judged(spec(), BASE, BASE, **asked).adopt
    assert said(judged(spec(), BASE, costing("99"), **asked)) == ("reject", "metric_regressed")


def test_a_rare_large_loss_is_not_overlooked_for_many_small_gains():
    """All deltas that were seen are alike; how large one that was not seen may be, nobody knows."""
    gain = Metric("gain", lambda output, args: output[1])
    report = judged(spec(gain), costing("5"), costing("5.01"), n=100, policy="superiority:margin=0.05")
    assert report.decision != "adopt"
    delta = report.metrics["gain"].delta
    assert delta.lower < 0 < delta.upper


def test_only_the_metrics_that_were_named_are_compared():
    gain = Metric("gain", lambda output, args: output[1])
    report = judged(spec(COST, gain), BASE, costing("5 + x % 7"), metrics=["cost"], **FEW)
    assert report.adopt
    assert set(report.metrics) == {"cost"}


def test_an_unknown_metric_is_answered_with_the_known_ones():
    with pytest.raises(ConfigError, match="no metric 'coast'; known are cost, time"):
        judged(spec(), BASE, BASE, metrics=["coast"], **FEW)


def test_a_metric_is_named_as_reports_can_tell_it():
    try:
        odd = Metric("Total cost (€)", lambda output, args: output[1])
    except ConfigError:
        return
    assert judged(spec(odd), BASE, costing("1"), **FEW).metrics["Total cost (€)"].n == 60


# --- numbers -------------------------------------------------------------------------------------------------------


def test_both_sides_of_a_metric_are_summed_up():
    found = judged(spec(), BASE, costing("5 + x % 7"), **FEW).metrics["cost"]
    costs = [10 + x % 7 for x in range(60)]
    assert (found.n, found.kind, found.higher_is_better) == (60, "mean", False)
    assert found.baseline.sum == sum(costs)
    assert found.baseline.mean == pytest.approx(sum(costs) / 60)
    assert (found.candidate.min, found.candidate.max) == (5, 11)
    assert found.delta.estimate == -5
    assert found.delta.lower <= -5 <= found.delta.upper
    assert found.p_better <= 1e-3
    assert found.p_worse > 0.99


def test_the_delta_of_a_sum_is_that_of_the_sums():
    total = Metric("total", lambda output, args: output[1], kind="sum", higher_is_better=False)
    found = judged(spec(total), BASE, costing("5 + x % 7"), **FEW).metrics["total"]
    assert found.delta.estimate == pytest.approx(-300)


@check_rows("method", ["studentised", "bca", "student", "permutation", "cluster"])
def test_every_method_bounds_the_delta(method):
    cost = Metric("cost", lambda output, args: output[1], higher_is_better=False, ci_method=method)
    found = judged(spec(cost), BASE, costing("8 + x % 5"), bootstrap_samples=400, **FEW).metrics["cost"]
    assert found.delta.method == method
    assert found.delta.lower < found.delta.estimate < found.delta.upper < 0


def test_more_metrics_make_each_of_them_harder():
    """Alone the difference is enough, among ten it is not."""
    noisy = Metric("noisy", lambda output, args: output[1] if args[0] % 2 else 10 + (args[0] * 7) % 13)
    others = [Metric(f"other_{i}", lambda output, args, i=i: (args[0] * (i + 3)) % 11) for i in range(9)]
    candidate = costing("(10 + x % 7) + ((x * 37) % 41 - 17) / 3")
    alone = judged(spec(noisy), BASE, candidate, **FEW).metrics["noisy"]
    among = judged(spec(noisy, *others), BASE, candidate, **FEW).metrics["noisy"]
    free = judged(spec(noisy, *others), BASE, candidate, correction="none", **FEW).metrics["noisy"]
    assert among.p_better == pytest.approx(min(1.0, 10 * alone.p_better))
    assert free.p_better == alone.p_better


def test_a_metric_that_only_the_candidate_lacks_is_told():
    broken = Metric("cost", lambda output, args: 1 / output[1])
    report = judged(spec(broken), costing("1"), costing("x % 2"), **FEW)
    assert warned(report) == ["metric_missing"]
    assert report.metrics["cost"].n == 30


def test_every_metric_that_is_missing_is_named():
    pair = [Metric(name, lambda output, args: 1 / output[1]) for name in ("cost", "gain")]
    report = judged(spec(*pair), costing("1"), costing("x % 2"), **FEW)
    told = " ".join(warning.message for warning in report.verdict.warnings)
    assert "'cost'" in told
    assert "'gain'" in told


def test_nan_is_no_number_of_a_metric():
    report = judged(spec(), costing("1.0"), costing("float('nan')"), **FEW)
    assert warned(report) == ["metric_missing"]
    assert report.metrics == {}


# --- clusters ------------------------------------------------------------------------------------------------------


def test_clusters_of_a_metric_are_those_of_its_own_cases():
    """The candidate has no number on the first cases, so what is left begins in another cluster."""
    cost = Metric("cost", lambda output, args: output[1], ci_method="cluster")
    clustered = spec(cost, cluster_key=lambda args: args[0] // 10)
    candidate = costing("float('nan') if x < 7 else x // 10")
    report = judged(clustered, costing("0"), candidate, mode="statistical", n=60, alpha=0.05, bootstrap_samples=500)
    deltas = [float(x // 10) for x in range(7, 60)]
    numbers = [x // 10 for x in range(7, 60)]
    expected = bootstrap.cluster(deltas, numbers, 0.05, Entropy(42, "metric", "cost"), 500, 5.0)
    delta = report.metrics["cost"].delta
    assert (delta.lower, delta.upper) == pytest.approx((expected.lower, expected.upper))


def test_many_cases_of_few_clusters_do_not_show_superiority():
    """Six clusters, three better and three worse by less: no evidence, however many cases each of them has."""
    clustered = spec(cluster_key=lambda args: args[0] % 6)
    candidate = costing("10 + x % 7 + (-5, 4, -4, 3, -3, 3)[x % 6]")
    report = judged(clustered, BASE, candidate, n=600, policy="superiority:margin=0.6")
    assert report.decision == "undecided"


# --- in statistical mode -------------------------------------------------------------------------------------------


def test_a_metric_that_regresses_rejects_in_statistical_mode_too():
    report = judged(spec(), BASE, costing("15 + x % 7"), mode="statistical", n=60, policy="noninferiority:margin=0.2")
    assert said(report) == ("reject", "metric_regressed")
    better = judged(spec(), BASE, costing("5 + x % 7"), mode="statistical", n=60, policy="noninferiority:margin=0.2")
    assert better.adopt

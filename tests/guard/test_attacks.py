"""Ways to be adopted wrongly, and ways to be turned away wrongly; each was possible once."""

from __future__ import annotations

import pytest
from tests.guard.making import NUMBERS, compared, judged, judged_behind_walls, said, warned
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, NotShippable, SpecFailed
from mendel.guard import MetamorphicRelation, Metric, Property, TaskSpec, close, run_with_config
from mendel.guard.generators import arguments, integers, lists
from mendel.guard.provenance import spec_hash
from mendel.guard.statistics.power import cases_for_mismatch_bound

LISTS = TaskSpec("lists", arguments(lists(integers(-9, 9), max_size=6)))
SORTED = "def solve(xs):\n    return sorted(xs)\n"
ABS = "def solve(x):\n    return abs(x)\n"
FINE = [Property(lambda output, x: output >= 0, "never negative")]
CHECKED = TaskSpec("checked", NUMBERS, FINE)
FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}


# --- wrongly adopted -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [2, 30])
def test_who_hangs_in_every_process_is_not_forgiven_again_and_again(call):
    hanging = (
        "calls = 0\n\ndef solve(xs):\n    global calls\n    calls += 1\n"
        f"    while calls == {call}:\n        pass\n    return sorted(xs)\n"
    )
    report = judged_behind_walls(LISTS, SORTED, hanging, timeout_s=0.3, **FEW)
    assert report.decision == "reject"
    assert report.code in ("flaky", "timeout")


@pytest.mark.parametrize("remainder", [0, 1])
def test_who_depends_on_how_texts_are_hashed_is_not_adopted(remainder):
    lucky = f"def solve(xs):\n    return sorted(xs) if hash('abc') % 2 == {remainder} else list(xs)\n"
    assert judged_behind_walls(LISTS, SORTED, lucky, **FEW).decision == "reject"


@pytest.mark.parametrize("options", [{"policy": "absolute:min_pass_rate=0.95"}, {"mode": "statistical"}])
def test_two_clusters_are_two_cases_however_many_there_are(options):
    clustered = TaskSpec("clustered", NUMBERS, FINE, cluster_key=lambda args: args[0] % 2)
    baseline = None if "policy" in options else ABS
    assert judged(clustered, baseline, ABS, n=200, **options).decision == "undecided"


def test_bounds_that_know_no_clusters_are_refused_or_told():
    clustered = TaskSpec("clustered", NUMBERS, FINE, cluster_key=lambda args: args[0] % 50)
    with pytest.raises(ConfigError, match="cluster_key"):
        judged(clustered, ABS, ABS, n=60, mode="statistical", sequential="always_valid")
    assert "clusters_ignored" in warned(judged(clustered, ABS, ABS, n=60, mode="statistical", ci_method="tango"))


def test_more_rivals_make_the_gate_no_laxer():
    quality = Metric("quality", lambda output, args: output[1])
    spec = TaskSpec(
        "quality",
        lambda n, seed: [(number,) for number in range(n)],
        [Property(lambda output, x: output[0] == x, "right")],
        equivalence=lambda left, right: left[0] == right[0],
        metrics=[quality],
    )
    base = "def solve(x):\n    return (x, 10.0)\n"
    worse = "def solve(x):\n    return (x, 10.0 - (x % 37 == 0) - (x % 41 == 0) - (x % 43 == 0))\n"
    asked = {"n": 200, "mode": "statistical", "policy": "noninferiority:margin=0.1"}
    alone = judged(spec, base, worse, **asked)
    assert alone.code == "metric_regressed"
    beside_others = compared(spec, base, [worse, base, base], **asked)
    assert beside_others.reports[0].code == "metric_regressed"


def test_half_of_the_inputs_being_the_same_is_told():
    same = TaskSpec("same", lambda n, seed: [([1],)] * n)
    assert "few_distinct_inputs" in warned(judged(same, SORTED, SORTED, **FEW))


def test_a_candidate_that_guesses_is_called_flaky_in_statistical_mode_too():
    guessing = "import random\n\nrandom.seed()\n\ndef solve(x):\n    return abs(x) + random.randrange(1_000)\n"
    report = judged_behind_walls(CHECKED, ABS, guessing, n=60, mode="statistical", lint=False)
    assert report.verdict.flaky
    assert "flaky" in warned(report)


# --- wrongly turned away -------------------------------------------------------------------------------------------


def test_large_answers_are_no_sign_of_flakiness():
    large = "def solve(xs):\n    return list(range(60_000))\n"
    assert judged_behind_walls(LISTS, large, large, **FEW).adopt


def test_a_broken_baseline_is_not_the_candidates_fault():
    report = judged(LISTS, "def solve(one, two):\n    return one\n", SORTED, **FEW)
    assert said(report) == ("undecided", "baseline_fails")


def test_to_raise_on_a_transformed_input_is_an_answer_too():
    relation = MetamorphicRelation("as text", lambda x: (str(x),))
    spec = TaskSpec("raising", NUMBERS, relations=[relation])
    same = judged(spec, "def solve(x):\n    return x + 1\n", "def solve(x):\n    y = x + 1\n    return y\n", **FEW)
    assert same.adopt


# --- what is told --------------------------------------------------------------------------------------------------


@check_rows("n", [100, 133, 140])
def test_as_many_cases_as_are_said_to_decide_do(n):
    told = judged(CHECKED, ABS, ABS, n=n, mode="statistical").verdict.n_to_decide
    assert told is not None
    assert cases_for_mismatch_bound(0.02, 0.05) <= told < 160
    assert judged(CHECKED, ABS, ABS, n=told, mode="statistical").adopt


def test_two_tasks_that_differ_in_what_a_closure_holds_are_two():
    hashes = {spec_hash(TaskSpec("t", NUMBERS, equivalence=close(relative))) for relative in (1e-9, 0.5)}
    assert len(hashes) == 2
    keyed = {spec_hash(TaskSpec("t", NUMBERS, cluster_key=key)) for key in (None, lambda args: args[0])}
    assert len(keyed) == 2


def test_a_task_that_exits_does_not_end_its_caller():
    def leave(left: object, right: object) -> bool:
        raise SystemExit(3)

    with pytest.raises(SpecFailed, match="SystemExit"):
        judged(TaskSpec("leaving", NUMBERS, equivalence=leave), ABS, ABS, **FEW)


@check_rows("name", ["alert_webhooks", "monitor_specs", "sandbox_plugins", "executor_config"])
def test_what_is_not_here_yet_is_told(name):
    with pytest.raises(ConfigError, match="not supported yet"):
        run_with_config({"guard": {"candidate": ABS}}, task=CHECKED, **{name: []})


def test_what_is_no_implementation_is_refused_by_name():
    with pytest.raises(NotShippable, match="not a int"):
        judged(CHECKED, ABS, 3, **FEW)

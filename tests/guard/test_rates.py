"""Statistical and absolute mode: pass rates, looks, and what stands beside them."""

import pytest
from tests.guard.making import VouchedSandbox, codes, judged, said
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError, SpecFailed
from mendel.guard import MetamorphicRelation, Property, TaskSpec, load_report

NUMBERED = lambda n, seed: [(i,) for i in range(n)]  # noqa: E731
RIGHT = Property(lambda output, x: output == x, "right")
TASK = TaskSpec("task", NUMBERED, [RIGHT])


def failing(share: int, of: int, first: int = 0) -> str:
    """A program that is wrong on so many of every so many cases."""
    return f"def solve(x):\n    return -1 if {first} <= x % {of} < {first + share} else x\n"


PERFECT = failing(0, 1)


def rated(baseline, candidate, spec=TASK, **options):
    return judged(spec, baseline, candidate, **{"mode": "statistical", "n": 200, **options})


# --- differences ---------------------------------------------------------------------------------------------------


@check_rows(
    ("policy", "baseline", "candidate", "expected"),
    [
        ("superiority", failing(3, 10), failing(1, 10), ("adopt", "superior")),
        ("superiority", failing(1, 10), failing(3, 10), ("reject", "not_superior")),
        ("superiority", failing(3, 10), failing(3, 10, first=4), ("undecided", "not_shown")),
        ("superiority:margin=0.3", failing(3, 10), failing(1, 10), ("reject", "not_superior")),
        ("noninferiority:margin=0.1", failing(1, 10), failing(1, 10), ("adopt", "noninferior")),
        ("noninferiority:margin=0.1", PERFECT, failing(3, 10), ("reject", "inferior")),
        ("noninferiority:margin=0.1", PERFECT, failing(1, 10), ("undecided", "not_shown")),
        ("equivalence:margin=0.1", failing(1, 10), failing(1, 10), ("adopt", "equivalent")),
        ("equivalence:margin=0.1", failing(5, 10), PERFECT, ("reject", "not_equivalent")),
        ("equivalence:margin=0.1", PERFECT, failing(1, 10), ("undecided", "not_shown")),
    ],
)
def test_the_policy_decides(policy, baseline, candidate, expected):
    report = rated(baseline, candidate, policy=policy)
    assert said(report) == expected
    (drawn,) = report.verdict.intervals
    assert (drawn.name, drawn.method, drawn.alpha) == ("pass_rate_difference", "tango", 0.05)
    assert report.verdict.n == 200


def test_both_sides_are_summed_up():
    summaries = rated(failing(3, 10), failing(1, 10)).verdict.summaries
    assert (summaries["candidate"]["passes"], summaries["baseline"]["passes"]) == (180, 140)
    assert (summaries["candidate"]["pass_rate"], summaries["candidate"]["n"]) == (0.9, 200)


def test_a_candidate_that_differs_from_the_baseline_is_not_wrong_for_that():
    anything = TaskSpec("task", NUMBERED, [Property(lambda output, x: output >= x, "large")])
    assert rated(PERFECT, "def solve(x):\n    return x + 1\n", anything, policy="noninferiority:margin=0.1").adopt


@check_rows(
    ("policy", "candidate"),
    [
        ("noninferiority:margin=0.1", failing(1, 20)),
        ("superiority", failing(8, 40, first=8)),
        ("equivalence:margin=0.2", failing(1, 10)),
    ],
)
def test_as_many_cases_as_the_gate_asks_for_do_decide(policy, candidate):
    baseline = failing(12, 40, first=28) if policy == "superiority" else PERFECT
    short = rated(baseline, candidate, policy=policy, n=40)
    assert said(short) == ("undecided", "not_shown")
    assert short.verdict.n_to_decide > 40
    n = -(-short.verdict.n_to_decide // 40) * 40
    assert rated(baseline, candidate, policy=policy, n=n).decision != "undecided"


def test_what_no_number_of_cases_would_decide_is_not_promised():
    report = rated(failing(1, 10), failing(1, 10, first=5), policy="superiority", n=40)
    assert report.decision == "undecided"
    assert report.verdict.n_to_decide is None


def test_clusters_are_resampled_as_wholes():
    clustered = TaskSpec("task", NUMBERED, [RIGHT], cluster_key=lambda args: args[0] // 50)
    candidate = "def solve(x):\n    return x\n"
    baseline = "def solve(x):\n    return -1 if x // 50 == 1 else x\n"
    report = rated(baseline, candidate, clustered, policy="superiority", bootstrap_samples=400)
    assert report.verdict.intervals[0].method == "cluster"
    assert report.decision == "undecided"
    assert rated(baseline, candidate, policy="superiority").adopt


@check_rows("method", ["exact", "newcombe", "wilson", "bca", "studentised", "bayesian", "permutation"])
def test_another_method_can_be_chosen(method):
    report = rated(failing(5, 10), PERFECT, policy="superiority", ci_method=method, bootstrap_samples=400)
    assert report.adopt
    assert report.verdict.intervals[0].method == method


# --- what stands beside --------------------------------------------------------------------------------------------


def test_more_violations_than_tolerated_reject_whatever_the_difference():
    chosen = {"policy": "superiority"}
    assert rated(failing(5, 10), failing(1, 10), violation_cap=20, **chosen).adopt
    report = rated(failing(5, 10), failing(1, 10), violation_cap=19, **chosen)
    assert said(report) == ("reject", "violation_cap")
    assert codes(report) == ["violation_cap", "superior"]
    assert "20 cases" in report.reason


def test_a_floor_of_the_candidates_own_rate():
    chosen = {"policy": "noninferiority:margin=0.1"}
    sides = failing(3, 10), failing(3, 10)
    assert rated(*sides, min_pass_rate=0.6, **chosen).adopt
    assert said(rated(*sides, min_pass_rate=0.7, **chosen)) == ("undecided", "not_shown")
    report = rated(*sides, min_pass_rate=0.9, **chosen)
    assert said(report) == ("reject", "rate_too_low")
    assert [drawn.name for drawn in report.verdict.intervals] == ["pass_rate_difference", "pass_rate"]


def test_a_relation_that_is_broken_more_often_rejects():
    related = TaskSpec(
        "task",
        NUMBERED,
        relations=[MetamorphicRelation("next", lambda x: (x + 1,), lambda a, b: b - a == 1, category="order")],
    )
    report = rated(PERFECT, failing(1, 10), related, policy="noninferiority:margin=0.9")
    assert said(report) == ("reject", "relation_regressed")
    found = report.verdict.relations["next"]
    assert (found.category, found.n, found.baseline_violations, found.candidate_violations) == ("order", 200, 0, 40)
    assert found.p_worse < 1e-6
    assert rated(failing(1, 10), failing(1, 10), related, policy="noninferiority:margin=0.9").adopt


def test_some_violations_are_shown_and_the_first_is_small():
    report = rated(PERFECT, "def solve(x):\n    return -1 if x >= 20 else x\n")
    assert len(report.violations) == 5
    assert report.violations[0].arguments == [20]
    assert all(shown.side == "candidate" for shown in report.violations)


def test_a_violation_that_does_not_come_again_is_shown_as_it_was_seen():
    counting = "calls = []\ndef solve(x):\n    calls.append(x)\n    return x if len(calls) < 30 else -x\n"
    shown = rated(PERFECT, counting, parallel=1).violations[0]
    assert not shown.shrunk
    assert shown.arguments == [29]
    assert shown.got == "-29"


@check_rows(
    ("policy", "told"),
    [
        ("superiority:margin=0.05", "more than +5.00% is required"),
        ("noninferiority:margin=0.05", "more than -5.00% is required"),
        ("equivalence:margin=0.05", "within ±5.00% is required"),
    ],
)
def test_the_reason_tells_what_was_asked_for(policy, told):
    assert told in rated(failing(3, 10), failing(3, 10), policy=policy).reason


def test_nothing_is_shown_where_nothing_speaks_against_the_candidate():
    assert rated(failing(1, 10), PERFECT).violations == ()


def test_a_candidate_that_cannot_be_loaded_is_rejected_at_once():
    sandbox = VouchedSandbox()
    report = rated(PERFECT, "def resolve(x):\n    return x\n", sandbox=sandbox)
    assert said(report) == ("reject", "load_failed")
    assert report.violations[0].kind == "failure"


def test_a_baseline_that_cannot_be_loaded_is_none():
    with pytest.raises(SpecFailed, match="the baseline cannot be loaded"):
        rated("def resolve(x):\n    return x\n", PERFECT)


def test_failures_are_not_passes():
    report = rated(PERFECT, "def solve(x):\n    return x / (x % 2)\n", policy="noninferiority:margin=0.1")
    assert said(report) == ("reject", "inferior")
    assert report.verdict.summaries["candidate"]["failures"] == {"exception": 100}


# --- effects -------------------------------------------------------------------------------------------------------


def test_how_large_the_effect_is_stands_beside_the_decision():
    effects = rated(failing(4, 10), failing(1, 10, first=5)).verdict.summaries["effects"]
    assert effects["risk_ratio"]["estimate"] == pytest.approx(0.9 / 0.6)
    assert effects["risk_ratio"]["lower"] > 1
    assert effects["odds_ratio"]["estimate"] == pytest.approx(4)
    assert effects["odds_ratio"]["lower"] > 1
    assert effects["cohens_h"] > 0
    assert "effects" not in judged(TASK, PERFECT, PERFECT, n=20).verdict.summaries


@pytest.mark.parametrize("method", [None, "bayesian"])
@pytest.mark.parametrize("baseline", [PERFECT, failing(5, 10), failing(1, 1)], ids=["all", "half", "none"])
@pytest.mark.parametrize("candidate", [PERFECT, failing(5, 10), failing(1, 1)], ids=["all", "half", "none"])
def test_sides_that_always_or_never_pass_are_told_as_well(baseline, candidate, method, tmp_path):
    report = rated(baseline, candidate, n=40, ci_method=method, shrink=False)
    assert load_report(report.write(tmp_path)).verdict == report.verdict


# --- looks ---------------------------------------------------------------------------------------------------------


@check_rows("plan", ["always_valid", "pocock", "obrien_fleming"])
@check_rows(("candidate", "decision"), [(PERFECT, "adopt"), (failing(1, 1), "reject")])
def test_a_look_that_decides_is_the_last(plan, candidate, decision):
    report = rated(failing(5, 10), candidate, policy="superiority", n=500, sequential=plan)
    assert report.decision == decision
    assert report.verdict.n < 500
    looks = report.verdict.looks
    assert [look.n for look in looks] == [100 * (number + 1) for number in range(len(looks))]
    assert [look.decision for look in looks] == ["undecided"] * (len(looks) - 1) + [decision]
    assert looks[-1].interval == report.verdict.intervals[0]
    assert report.verdict.n == looks[-1].n


def test_the_decision_rests_on_the_look_that_was_made_last():
    report = rated(failing(10, 100), PERFECT, policy="superiority", n=500, sequential="obrien_fleming")
    looks = report.verdict.looks
    assert report.adopt
    assert len(looks) > 1
    assert looks[0].interval.alpha < looks[-1].interval.alpha
    assert looks[-1].interval == report.verdict.intervals[0]


@check_rows("plan", ["always_valid", "pocock", "obrien_fleming"])
def test_where_no_look_decides_all_cases_are_seen(plan):
    report = rated(failing(1, 10), failing(1, 10, first=5), policy="superiority", n=100, sequential=plan, looks=4)
    assert report.decision == "undecided"
    assert [look.n for look in report.verdict.looks] == [25, 50, 75, 100]


def test_without_looks_none_is_recorded():
    assert rated(PERFECT, PERFECT).verdict.looks == ()


def test_group_sequential_looks_are_stricter_than_a_single_one():
    once = rated(failing(3, 10), failing(1, 10), policy="superiority", n=60)
    looked = rated(failing(3, 10), failing(1, 10), policy="superiority", n=60, sequential="pocock", looks=3)
    last = looked.verdict.looks[-1].interval
    assert last.alpha < 0.05
    assert looked.verdict.looks[-1].n < 60 or last.lower < once.verdict.intervals[0].lower


# --- one side ------------------------------------------------------------------------------------------------------


@check_rows(
    ("candidate", "expected"),
    [
        (failing(1, 20), ("adopt", "rate_reached")),
        (failing(3, 10), ("reject", "rate_too_low")),
        (failing(2, 20), ("undecided", "not_shown")),
    ],
)
def test_an_absolute_rate_needs_no_baseline(candidate, expected):
    report = judged(TASK, None, candidate, n=200, policy="absolute:min_pass_rate=0.9")
    assert said(report) == expected
    assert report.verdict.mode == "absolute"
    assert "baseline" not in report.verdict.summaries
    assert report.verdict.intervals[0].name == "pass_rate"
    assert report.provenance.baseline_hash is None


def test_where_no_rate_is_said_there_is_a_default():
    report = judged(TASK, None, failing(1, 10), n=200, mode="absolute")
    assert (report.verdict.mode, report.verdict.policy) == ("absolute", "absolute:min_pass_rate=0.8")
    assert report.adopt


def test_as_many_cases_as_are_asked_for_reach_the_rate():
    short = judged(TASK, None, failing(1, 20), n=40, min_pass_rate=0.9)
    assert short.decision == "undecided"
    n = -(-short.verdict.n_to_decide // 20) * 20
    assert judged(TASK, None, failing(1, 20), n=n, min_pass_rate=0.9).decision == "adopt"


@pytest.mark.parametrize("plan", ["always_valid", "pocock"])
def test_an_absolute_rate_can_be_looked_at_early(plan):
    report = judged(TASK, None, failing(1, 1), n=500, sequential=plan, min_pass_rate=0.9)
    assert said(report) == ("reject", "rate_too_low")
    assert report.verdict.n == 100


def test_violations_are_capped_in_absolute_mode_too():
    report = judged(TASK, None, failing(1, 100), n=200, min_pass_rate=0.9, violation_cap=1)
    assert said(report) == ("reject", "violation_cap")


@check_rows(
    ("chosen", "told"),
    [
        ({"mode": "exact"}, "exact mode compares the candidate with a baseline"),
        ({"mode": "statistical"}, "statistical mode compares the candidate with a baseline"),
        ({"mode": "absolute", "ci_method": "tango"}, "use exact, wilson or bayesian"),
    ],
)
def test_what_takes_two_sides_is_refused_for_one(chosen, told):
    with pytest.raises(ConfigError, match=told):
        judged(TASK, None, PERFECT, n=20, **chosen)


def test_a_policy_for_one_side_is_refused_for_two():
    with pytest.raises(ConfigError, match="is for absolute mode, not for exact mode"):
        judged(TASK, PERFECT, PERFECT, n=20, mode="exact", policy="absolute:min_pass_rate=0.9")

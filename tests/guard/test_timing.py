"""Time as a metric."""

import pytest
from tests.guard.making import VouchedSandbox, judged, judged_behind_walls, said

from mendel.contracts.evaluations import MIB
from mendel.guard import TaskSpec

NUMBERED = lambda n, seed: [(3_000 + i,) for i in range(n)]  # noqa: E731
TASK = TaskSpec("sum", NUMBERED)
TIMED = {"n": 60, "policy": "superiority:margin=0.05", "metrics": ["time"], "timing_samples": 6}


def working(factor: int) -> str:
    return f"def solve(n):\n    total = 0\n    for i in range({factor} * n):\n        total += i % 7\n    return n\n"


@pytest.mark.parametrize(
    ("baseline", "candidate", "expected"),
    [(6, 1, [("adopt", "superior")]), (1, 6, [("reject", "metric_regressed"), ("reject", "not_superior")])],
    ids=["faster", "slower"],
)
def test_a_really_faster_candidate_is_adopted_and_a_slower_one_rejected(baseline, candidate, expected):
    report = judged_behind_walls(TASK, working(baseline), working(candidate), timeout_s=20, **TIMED)
    assert said(report) in expected
    found = report.metrics["time"]
    assert (found.n, found.kind, found.higher_is_better) == (6, "ratio", False)
    assert (found.delta.estimate < 1) == (baseline > candidate)


def test_what_is_too_fast_to_be_timed_is_undecided():
    quick = "def solve(n):\n    return n\n"
    found = [
        said(judged(TASK, quick, quick, **TIMED)) for _ in range(3)
    ]  # on a busy machine one may seem to take longer
    assert ("undecided", "too_fast_to_time") in found
    assert "adopt" not in [decision for decision, _ in found]


def test_time_is_measured_only_where_it_was_asked_for():
    sandbox = VouchedSandbox()
    judged(TASK, working(1), working(1), sandbox=sandbox, n=60, policy="noninferiority:margin=0.05")
    assert not any(ask.timed for ask in sandbox.asks)


def test_the_timed_processes_have_the_limits_and_packages_of_the_others():
    sandbox = VouchedSandbox()
    granted = TaskSpec("sum", NUMBERED, packages=("pytest",))
    judged(granted, working(2), working(1), sandbox=sandbox, timeout_s=30, mem_mb=700, **{**TIMED, "timing_samples": 3})
    timed = [ask for ask in sandbox.asks if ask.timed]
    assert timed
    assert {ask.grants.packages for ask in timed} == {("pytest",)}
    assert {(ask.limits.case_s, ask.limits.memory_bytes) for ask in timed} == {(30, 700 * MIB)}


SLY = (
    "calls = []\ndef solve(n):\n    calls.append(n)\n"
    "    return -1 if calls[0] == 3_000 and len(calls) > 45 else sum(1 for _ in range(n))\n"
)
"""It knows the order of the calls: those of a timed process come without the ones before."""
PLAIN = "def solve(n):\n    return sum(1 for _ in range(n))\n"


def test_a_candidate_that_answers_wrongly_while_it_is_timed_is_flaky():
    report = judged(TASK, PLAIN, SLY, recheck=0.0, parallel=1, **TIMED)
    assert said(report) == ("reject", "flaky")
    assert "while it was timed" in report.reason
    assert report.verdict.flaky


def test_a_baseline_that_answers_wrongly_while_it_is_timed_is_not_the_candidates_fault():
    report = judged(TASK, SLY, PLAIN, recheck=0.0, parallel=1, **TIMED)
    assert report.decision == "undecided"
    assert "baseline" in report.reason


def test_timed_samples_are_shared_between_few_inputs():
    sandbox = VouchedSandbox()
    judged(TASK, working(2), working(1), sandbox=sandbox, **{**TIMED, "n": 210, "timing_samples": 3})
    assert {len(ask.cases) for ask in sandbox.asks if ask.timed} == {200}

"""Exact mode: one confirmed counter-example rejects, and agreement is worth what it is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.guard.making import (
    ABS,
    ECHO,
    LISTS,
    NUMBERS,
    VouchedSandbox,
    judged,
    judged_behind_walls,
    said,
    warned,
)
from tests.support.rows import check_rows

from mendel.contracts.errors import SpecFailed
from mendel.guard import MetamorphicRelation, Metric, Property, TaskSpec, generators
from mendel.guard.exactness import FIRST_BATCH, batches
from mendel.guard.observing import MOST_TRIALS
from mendel.guard.statistics.power import cases_for_mismatch_bound
from mendel.ports.sandbox import Ask, Attempt

TASK = TaskSpec("task", NUMBERS)
NEVER_NEGATIVE = Property(lambda output, x: output >= 0, "never negative")
EVEN = MetamorphicRelation("even", lambda x: (-x,))
FEW = {"n": 60, "policy": "noninferiority:margin=0.05"}
RAISING = "def solve(x):\n    if x < 0:\n        raise {}('no')\n    return x\n"


def spec(**parts) -> TaskSpec:
    return TaskSpec("task", NUMBERS, **parts)


# --- agreement -----------------------------------------------------------------------------------------------------


@given(st.integers(1, 20_000))
def test_batches_grow_to_what_a_process_takes_and_end_with_the_last_case(n):
    ends = list(batches(n))
    sizes = [end - start for start, end in zip([0, *ends], ends, strict=False)]
    assert ends[-1] == n
    assert sizes[0] == min(n, FIRST_BATCH)
    assert all(0 < size <= MOST_TRIALS for size in sizes)
    assert sizes[:-1] == sorted(sizes[:-1])


@check_rows(("margin", "alpha"), [(0.05, 0.05), (0.1, 0.01), (0.5, 0.05)])
def test_as_many_cases_decide_as_the_gate_says_and_one_fewer_does_not(margin, alpha):
    needed = cases_for_mismatch_bound(margin, alpha)
    chosen = {"policy": f"noninferiority:margin={margin}", "alpha": alpha}
    short = judged(TASK, ABS, ABS, n=needed - 1, **chosen)
    assert said(short) == ("undecided", "too_few_cases")
    assert short.verdict.n_to_decide == needed
    enough = judged(TASK, ABS, ABS, n=short.verdict.n_to_decide, **chosen)
    assert said(enough) == ("adopt", "no_mismatch")
    assert enough.verdict.n_to_decide is None
    (bound,) = enough.verdict.intervals
    assert (bound.name, bound.estimate, bound.alpha) == ("mismatch_rate", 0.0, alpha)
    assert bound.upper <= margin


def test_no_number_of_cases_shows_that_nothing_differs():
    report = judged(TASK, ABS, ABS, n=60, policy="noninferiority:margin=0")
    assert said(report) == ("undecided", "too_few_cases")
    assert report.verdict.n_to_decide is None


def test_clusters_count_and_not_the_cases_in_them():
    clustered = spec(cluster_key=lambda args: args[0] % 5)
    report = judged(clustered, ABS, ABS, n=100, policy="noninferiority:margin=0.05")
    assert said(report) == ("undecided", "too_few_cases")
    assert judged(clustered, ABS, ABS, n=100, policy="noninferiority:margin=0.5").adopt


@check_rows(
    ("baseline", "candidate"),
    [
        ("def solve(x):\n    return float('nan')\n", "def solve(x):\n    return float('inf') - float('inf')\n"),
        ("def solve(x):\n    return 0.0\n", "def solve(x):\n    return -0.0\n"),
        ("def solve(x):\n    return [float('nan'), x]\n", "def solve(x):\n    return [float('nan'), x]\n"),
        (RAISING.format("ValueError"), RAISING.format("ValueError").replace("'no'", "'never'")),
    ],
)
def test_these_answers_agree(baseline, candidate):
    assert judged(TASK, baseline, candidate, **FEW).adopt


def test_under_plain_equality_what_is_identical_agrees():
    strict = spec(equivalence=lambda a, b: a == b)
    same_nan = "def solve(x):\n    return [float('nan'), -0.0]\n"
    assert judged(strict, same_nan, same_nan, **FEW).adopt


def test_a_baseline_that_always_raises_proves_nothing():
    always = "def solve(x):\n    raise ValueError('no')\n"
    assert said(judged(TASK, always, always, **FEW)) == ("undecided", "baseline_fails")


def test_a_baseline_that_raises_now_and_then_is_told():
    report = judged(TASK, RAISING.format("ValueError"), RAISING.format("ValueError"), **FEW)
    assert report.adopt
    assert warned(report) == ["baseline_raises"]


def test_answers_that_are_all_none_are_told():
    nothing = "def solve(x):\n    x + 1\n"
    report = judged(TASK, nothing, nothing, **FEW)
    assert warned(report) == ["every_answer_none"]
    assert warned(judged(TASK, ABS, ABS, **FEW)) == []


# --- counter-examples ----------------------------------------------------------------------------------------------


@check_rows(
    ("candidate", "code"),
    [
        (ECHO, "mismatch"),
        (RAISING.format("ValueError"), "raised"),
        ("def solve(x):\n    return None\n", "mismatch"),
        ("def solve(x):\n    return [10**5_000]\n", "mismatch"),
        ("def solve(x):\n    return {x: object()}\n", "result_not_plain"),
        ("def solve(x):\n    x = []\n    x.append(x)\n    return x\n", "result_too_large"),
        ("def resolve(x):\n    return abs(x)\n", "load_failed"),
        ("def solve(x:\n", "lint"),
        ("import socket\ndef solve(x):\n    return abs(x)\n", "lint"),
    ],
)
def test_a_candidate_is_rejected_for_one_counter_example(candidate, code):
    report = judged(TASK, ABS, candidate, **FEW)
    assert said(report) == ("reject", code)
    assert not report.verdict.flaky
    if code != "lint":
        (shown,) = report.violations
        assert shown.side == "candidate"


def test_without_the_lint_what_cannot_be_loaded_is_rejected_nevertheless():
    assert said(judged(TASK, ABS, "def solve(x:\n", lint=False, **FEW)) == ("reject", "load_failed")


def test_to_raise_another_exception_is_another_answer():
    report = judged(TASK, RAISING.format("ValueError"), RAISING.format("KeyError"), **FEW)
    assert said(report) == ("reject", "mismatch")
    assert "ValueError" in report.reason


def test_to_answer_where_the_baseline_raises_is_another_answer():
    report = judged(TASK, RAISING.format("ValueError"), ABS, **FEW)
    assert said(report) == ("reject", "mismatch")
    assert "the baseline raises ValueError here" in report.reason


def test_a_broken_property_says_more_than_another_answer():
    report = judged(spec(properties=[NEVER_NEGATIVE]), ABS, ECHO, **FEW)
    assert said(report) == ("reject", "property_violated")
    assert "'never negative'" in report.reason


def test_a_check_that_raises_on_the_candidate_speaks_against_it():
    text = "def solve(x):\n    return 'text' if x > 5 else abs(x)\n"
    report = judged(spec(properties=[NEVER_NEGATIVE]), ABS, text, **FEW)
    assert said(report) == ("reject", "property_violated")
    assert "its check raised TypeError" in report.reason


def test_a_broken_relation_is_told_by_name():
    odd = "def solve(x):\n    return abs(x) + (x < -3)\n"
    lenient = spec(relations=[EVEN], equivalence=lambda a, b: abs(a - b) <= 1)
    assert judged(lenient, ABS, odd, **FEW).adopt
    strict = spec(
        relations=[MetamorphicRelation("even", lambda x: (-x,), lambda a, b: a == b)],
        equivalence=lambda a, b: abs(a - b) <= 1,
    )
    report = judged(strict, ABS, odd, **FEW)
    assert said(report) == ("reject", "relation_violated")
    assert "'even'" in report.reason


def test_answers_to_transformed_inputs_are_compared_too():
    """The inputs are all positive; only the relation's are not."""
    positive = TaskSpec(
        "task",
        generators.arguments(generators.integers(1, 99)),
        relations=[MetamorphicRelation("turned", lambda x: (-x,), lambda a, b: True)],
    )
    report = judged(positive, ABS, ECHO, **FEW)
    assert said(report) == ("reject", "mismatch")
    assert report.violations[0].arguments == [-1]


def test_soft_properties_are_counted_and_decide_nothing():
    report = judged(spec(properties=[Property(lambda output, x: output % 2 == 0, "even", "soft")]), ABS, ABS, **FEW)
    assert report.adopt
    counts = report.verdict.summaries["candidate"]["soft_violations"]
    assert 0 < counts["even"] < 60
    assert report.verdict.summaries["baseline"]["soft_violations"] == counts


def test_a_wrong_candidate_costs_few_cases():
    sandbox = VouchedSandbox()
    report = judged(TASK, ABS, "def solve(x):\n    return 'wrong'\n", sandbox=sandbox, n=5_000, shrink=False)
    assert said(report) == ("reject", "mismatch")
    assert report.verdict.n == 1
    assert sum(len(ask.cases) for ask in sandbox.asks) < 40


def test_the_case_that_rejects_is_counted_and_none_after_it():
    wrong_at_once = "def solve(x):\n    return abs(x) + (x == 7)\n"
    numbered = TaskSpec("task", lambda n, seed: [(i,) for i in range(n)])
    report = judged(numbered, ABS, wrong_at_once, **FEW)
    assert report.verdict.n == 8
    assert report.verdict.summaries["candidate"]["passes"] == 7
    assert report.violations[0].case == 7


def test_an_equivalence_that_raises_on_the_candidates_answer_is_a_mismatch():
    near = spec(equivalence=lambda a, b: abs(a - b) < 1)
    report = judged(near, ABS, "def solve(x):\n    return str(x)\n", **FEW)
    assert said(report) == ("reject", "mismatch")
    assert "equivalence raised TypeError" in report.reason


# --- flaky ---------------------------------------------------------------------------------------------------------

COUNTING = "calls = []\ndef solve(x):\n    calls.append(x)\n    return abs(x) + (len(calls) > {})\n"


@pytest.mark.parametrize("after", [1, 20])
def test_a_candidate_that_counts_its_calls_is_flaky(after):
    report = judged(TASK, ABS, COUNTING.format(after), parallel=1, **FEW)
    assert said(report) == ("reject", "flaky")
    assert report.verdict.flaky
    assert "the candidate is flaky" in report.reason


def test_a_candidate_that_only_a_fresh_process_finds_out_is_flaky():
    """It answers rightly in the long run, and wrongly when an input is the first it sees."""
    text = "calls = []\ndef solve(x):\n    calls.append(x)\n    return abs(x) + (len(calls) == 1 and x > 900)\n"
    numbered = TaskSpec("task", lambda n, seed: [(i % 900 if i < n - 20 else 901 + i % 20,) for i in range(n)])
    report = judged(numbered, ABS, text, parallel=1, recheck=1.0, **FEW)
    assert said(report) == ("reject", "flaky")
    assert report.verdict.flaky


def test_a_candidate_that_looks_at_the_clock_is_found_out():
    text = "import time\ndef solve(x):\n    return time.perf_counter_ns()\n"
    near = spec(equivalence=lambda a, b: True)
    report = judged(near, ABS, text, lint=False, recheck=1.0, **FEW)
    assert said(report) == ("reject", "flaky")


def test_a_flaky_baseline_decides_nothing():
    report = judged(TASK, COUNTING.format(5), ABS, parallel=1, **FEW)
    assert said(report) == ("undecided", "baseline_flaky")
    assert report.verdict.flaky
    assert report.violations[0].side == "baseline"


# --- the baseline as an oracle -------------------------------------------------------------------------------------


@pytest.mark.parametrize("candidate", [ECHO, ABS], ids=["as the baseline", "as it should be"])
def test_a_baseline_that_breaks_a_property_is_no_oracle(candidate):
    report = judged(spec(properties=[NEVER_NEGATIVE]), ECHO, candidate, **FEW)
    assert said(report) == ("undecided", "baseline_fails")
    assert "'never negative'" in report.reason
    (shown,) = report.violations
    assert (shown.side, shown.kind, shown.name) == ("baseline", "property", "never negative")


@pytest.mark.parametrize("candidate", [ECHO, ABS], ids=["as the baseline", "as it should be"])
def test_a_baseline_that_breaks_a_relation_is_no_oracle(candidate):
    report = judged(spec(relations=[EVEN]), ECHO, candidate, **FEW)
    assert said(report) == ("undecided", "baseline_fails")
    assert "'even'" in report.reason


def test_a_candidate_that_breaks_what_the_baseline_keeps_is_rejected_nevertheless():
    rules = [NEVER_NEGATIVE, Property(lambda output, x: isinstance(output, int), "whole")]
    report = judged(spec(properties=rules), ECHO, "def solve(x):\n    return abs(x) + 0.5\n", **FEW)
    assert said(report) == ("reject", "property_violated")
    assert "'whole'" in report.reason


@check_rows(
    "text", ["def resolve(x):\n    return x\n", "def solve(x:\n", "import nothing_here\ndef solve(x):\n    return x\n"]
)
def test_a_baseline_that_cannot_be_loaded_is_none(text):
    with pytest.raises(SpecFailed, match="the baseline cannot be loaded"):
        judged(TASK, text, ABS, **FEW)


@check_rows(
    ("parts", "told"),
    [
        ({"equivalence": lambda a, b: a.nothing}, "equivalence raised AttributeError"),
        ({"metrics": [Metric("cost", lambda output, args: 1 / 0)]}, "metric 'cost' raised ZeroDivisionError"),
        ({"metrics": [Metric("cost", lambda output, args: math.nan)]}, "metric 'cost' is nan"),
        ({"relations": [MetamorphicRelation("r", lambda x: 1 / 0)]}, "relation 'r' raised ZeroDivisionError"),
        ({"cluster_key": lambda args: []}, "unhashable"),
    ],
)
def test_a_broken_task_is_told_and_nobody_is_judged(parts, told):
    with pytest.raises(SpecFailed, match=told):
        judged(spec(**parts), ABS, ABS, **FEW)


# --- late ----------------------------------------------------------------------------------------------------------


class LateOnce(VouchedSandbox):
    """A machine that stumbles: the first process that sees the program dies of a timeout, whatever it does."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.source = source
        self.stumbled = False

    async def attempt(self, ask: Ask) -> Attempt:
        attempt = await super().attempt(ask)
        if self.stumbled or ask.program.files["candidate.py"] != self.source:
            return attempt
        self.stumbled = True
        late = type(attempt.outcomes[0])("timeout", error_type="Timeout", error_code="SANDBOX_TIMEOUT", message="late")
        return type(attempt)((late,), attempt.usage, attempt.isolation)


BOTH = ABS, "def solve(x):\n    return x if x > 0 else -x\n"


def test_a_candidate_that_was_late_once_is_forgiven_and_that_is_told():
    report = judged(TASK, *BOTH, sandbox=LateOnce(BOTH[1]), **FEW)
    assert report.adopt
    assert warned(report) == ["late_once"]


def test_a_baseline_that_was_late_once_is_forgiven_too():
    assert judged(TASK, *BOTH, sandbox=LateOnce(BOTH[0]), **FEW).adopt


# --- behind walls --------------------------------------------------------------------------------------------------


@check_rows(
    ("candidate", "expected"),
    [
        ("def solve(x):\n    while True:\n        pass\n", {"timeout"}),
        ("import os\ndef solve(x):\n    os._exit(0)\n", {"crashed"}),
        ("import os\ndef solve(x):\n    os.abort()\n", {"crashed"}),
        ("def solve(x):\n    return len(bytearray(1 << 31))\n", {"memory"}),
        ("def solve(x):\n    return [x] * 5_000_000\n", {"result_too_large", "memory", "timeout"}),
        ("class Odd(int):\n    pass\ndef solve(x):\n    return Odd(abs(x))\n", {"result_not_plain"}),
        ("def solve(x):\n    return solve(x)\n", {"raised", "crashed"}),
        (ECHO, {"property_violated"}),
    ],
)
def test_whatever_a_candidate_does_is_told_as_what_it_is(candidate, expected):
    guarded = spec(properties=[NEVER_NEGATIVE])
    report = judged_behind_walls(guarded, ABS, candidate, n=20, timeout_s=0.5, mem_mb=128, lint=False, shrink=False)
    assert report.decision == "reject"
    assert report.code in expected


def test_printing_a_lot_harms_nobody():
    text = "def solve(x):\n    print('x' * 100_000)\n    return abs(x)\n"
    report = judged_behind_walls(TASK, ABS, text, lint=False, **FEW)
    assert report.adopt


def test_lists_are_judged_behind_walls_as_well():
    ordering = TaskSpec("order", LISTS, [Property(lambda output, xs: output == sorted(xs), "in order")])
    assert judged_behind_walls(
        ordering, "def solve(xs):\n    return sorted(xs)\n", "def solve(xs):\n    xs.sort()\n    return xs\n", **FEW
    ).adopt
    report = judged_behind_walls(
        ordering, "def solve(xs):\n    return sorted(xs)\n", "def solve(xs):\n    return sorted(set(xs))\n", **FEW
    )
    assert said(report) == ("reject", "property_violated")
    left, right = report.violations[0].arguments[0]
    assert left == right

"""Recorded violations seen again."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guard.making import ABS, ECHO, LISTS, NUMBERS, VouchedSandbox, answers, judged, source

from mendel.contracts.errors import ConfigError
from mendel.contracts.plain_values import identical
from mendel.contracts.value_json import from_json
from mendel.contracts.verdicts import Challenge
from mendel.guard import GuardConfig, MetamorphicRelation, Property, Report, TaskSpec, generators, load_report
from mendel.guard.checking import Breach
from mendel.guard.evaluation import Evaluation
from mendel.guard.replaying import replay
from mendel.guard.tally import Judged
from mendel.guard.trials import Trial
from mendel.guard.violations import violation

ABSOLUTE = TaskSpec("absolute", NUMBERS, [Property(lambda output, x: output >= 0, "never negative")])
SORTED = "def solve(xs):\n    return sorted(xs)\n"


def again(report: Report, spec: TaskSpec, which: int | None = None):
    return asyncio.run(replay(report, spec, VouchedSandbox(), which))


def mended(report: Report, text: str) -> Report:
    return Report(report.task, report.verdict, report.config, source(text), report.baseline)


# --- holds, and does not -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "baseline", "candidate"),
    [
        (ABSOLUTE, ABS, ECHO),
        (TaskSpec("t", NUMBERS), ABS, "def solve(x):\n    return 1 // x\n"),
        (TaskSpec("t", LISTS), SORTED, "def solve(xs):\n    return xs\n"),
        (
            TaskSpec("t", NUMBERS, relations=[MetamorphicRelation("even", lambda x: (-x,))]),
            ABS,
            "def solve(x):\n    return abs(x) + (x > 9)\n",
        ),
        (TaskSpec("t", NUMBERS), ABS, "def resolve(x):\n    return x\n"),
        (ABSOLUTE, ECHO, ABS),
    ],
    ids=["property", "raised", "mismatch", "relation", "load", "of the baseline"],
)
def test_a_violation_holds_as_long_as_nothing_is_mended(spec, baseline, candidate, tmp_path):
    report = judged(spec, baseline, candidate, n=60)
    loaded = load_report(report.write(tmp_path))
    for each in (report, loaded):
        (replayed,) = again(each, spec)
        assert replayed.holds
        assert replayed.recorded == report.violations[0]
        assert replayed.now is not None
        unshown = {"input", "expected", "arguments"}  # what cannot be loaded is told without an input
        assert replayed.now.model_dump(exclude=unshown) == replayed.recorded.model_dump(exclude=unshown)


def test_a_violation_is_gone_when_the_candidate_is_mended():
    report = judged(ABSOLUTE, ABS, ECHO, n=60)
    (replayed,) = again(mended(report, ABS), ABSOLUTE)
    assert not replayed.holds
    assert replayed.now is None


def test_another_violation_is_told_as_another():
    report = judged(ABSOLUTE, ABS, ECHO, n=60)
    (replayed,) = again(mended(report, "def solve(x):\n    return abs(x) + 1\n"), ABSOLUTE)
    assert not replayed.holds
    assert replayed.now.kind == "mismatch"


def test_one_of_several_can_be_chosen():
    rated = TaskSpec("t", NUMBERS, [Property(lambda output, x: output >= 0, "never negative")])
    report = judged(rated, ABS, ECHO, n=60, mode="statistical")
    assert len(again(report, rated)) == len(report.violations) == 5
    assert [each.recorded for each in again(report, rated, 3)] == [report.violations[3]]
    for wrong in (5, -1):
        with pytest.raises(ConfigError, match=f"has 5 violations, counted from 0; there is no number {wrong}"):
            again(report, rated, wrong)


def test_without_a_baseline_a_violation_is_seen_again_too():
    report = judged(ABSOLUTE, None, ECHO, n=60, mode="absolute")
    assert all(each.holds for each in again(report, ABSOLUTE))
    assert report.violations


def test_random_transforms_are_drawn_as_they_were():
    def moved(x, rng):
        return (x + rng.randint(1, 10**9),)

    spec = TaskSpec("t", NUMBERS, relations=[MetamorphicRelation("moved", moved, lambda a, b: True, accepts_rng=True)])
    candidate = "def solve(x):\n    return abs(x) + (x > 10**6)\n"
    challenge = Challenge(niche="n", k=3, alpha=0.01)
    report = judged(spec, ABS, candidate, n=60, challenge=challenge, shrink=False)
    assert report.code == "mismatch"
    (replayed,) = again(report, spec)
    assert replayed.holds
    assert replayed.now.got == replayed.recorded.got


def test_arguments_too_large_to_keep_are_drawn_again():
    spec = TaskSpec("t", generators.arguments(generators.constant("x" * 100_000), generators.integers(0, 9)))
    baseline = "def solve(text, x):\n    return len(text)\n"
    candidate = "def solve(text, x):\n    return len(text) + (x > 4 and len(text) >= 100_000)\n"
    report = judged(spec, baseline, candidate, n=60, shrink=False)
    (shown,) = report.violations
    assert shown.arguments is None
    (replayed,) = again(report, spec)
    assert replayed.holds


def test_arguments_that_cannot_be_read_are_refused():
    report = judged(ABSOLUTE, ABS, ECHO, n=60)
    bad = report.violations[0].model_copy(update={"arguments": [{"$nothing": 1}]})
    broken = Report(
        report.task,
        report.verdict.model_copy(update={"violations": (bad,)}),
        report.config,
        report.candidate,
        report.baseline,
    )
    with pytest.raises(ConfigError, match=r"case \d+ cannot be read.*\$nothing"):
        again(broken, ABSOLUTE)


# --- arguments as JSON ---------------------------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.dates() | st.decimals(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
        | st.frozensets(st.integers(), max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.lists(plain, max_size=3).map(tuple))
def test_arguments_survive_the_report(args):
    one = Evaluation(
        ABSOLUTE,
        None,
        source(ECHO).program,
        GuardConfig(mode="absolute"),
        VouchedSandbox(),
        lambda *_: None,
    )
    shown = violation(one, Judged(Trial(0, args), answers(1), None, ()), Breach("property", "p"))
    read = type(shown).model_validate_json(shown.model_dump_json())
    assert identical(tuple(map(from_json, read.arguments)), args)

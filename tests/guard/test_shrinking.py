"""Smaller inputs that show the same."""

import asyncio
import datetime as dt
import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.guard.making import NUMBERS, VouchedSandbox, evaluation, judged
from tests.support.rows import check_rows

from mendel.contracts.plain_values import identical
from mendel.guard import MetamorphicRelation, Property, TaskSpec, generators
from mendel.guard.shrinking import shrunk, simpler

values = st.recursive(
    st.booleans()
    | st.integers(-300, 300)
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.binary(max_size=4)
    | st.dates()
    | st.datetimes()
    | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2) | st.integers(), inner, max_size=3)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=6,
)


# --- simpler values ------------------------------------------------------------------------------------------------


@given(values)
def test_simpler_values_are_others_of_the_same_type(value):
    for each in simpler(value):
        assert type(each) is type(value)
        assert not identical(each, value)


@given(values, st.randoms(use_true_random=False))
def test_every_way_of_making_a_value_simpler_ends(value, rng):
    """A step never leads back: whoever goes on taking one arrives."""
    for _ in range(2_000):
        options = list(simpler(value))
        if not options:
            return
        value = rng.choice(options)
    pytest.fail(f"still going at {value!r}")


@given(values)
def test_a_simpler_value_never_leads_back(value):
    for each in itertools.islice(simpler(value), 20):
        assert not any(identical(again, value) for again in itertools.islice(simpler(each), 100))


@check_rows(
    "value", [0, False, None, "", b"", [], (), {}, set(), 0.0, math.nan, math.inf, dt.date(2000, 1, 1), "aaa"[:0]]
)
def test_these_are_as_simple_as_can_be(value):
    assert list(simpler(value)) == []


@check_rows(
    ("value", "among"),
    [
        (True, False),
        (100, 0),
        (100, 99),
        (-100, 100),
        (-100, -50),
        (2.5, 2.0),
        (1e300, 0.0),
        (-7.0, 7.0),
        ("hello", ""),
        ("hello", "helo"),
        ("b", "a"),
        ("7", "0"),
        (b"ab", b"a"),
        ([3, 4], []),
        ([3, 4], [3]),
        ([3, 4], [3, 3]),
        ((3, 4), (3, 2)),
        ({"k": 3, "m": 4}, {"k": 3}),
        ({"k": 3}, {"k": 0}),
        ({1, 2}, {1}),
        (dt.date(2026, 11, 16), dt.date(2000, 11, 16)),
        (dt.datetime(2026, 1, 1, 5), dt.datetime(2026, 1, 1)),
    ],
)
def test_these_are_simpler(value, among):
    assert any(identical(each, among) for each in simpler(value))


# --- planted mistakes ----------------------------------------------------------------------------------------------

ints = generators.integers(-1_000, 1_000)
words = generators.text("abcxyz 019", 20)
PLANTED = [
    ([ints], "x > 137", (138,)),
    ([ints], "x < -41", (-42,)),
    ([generators.integers(0, 10**9)], "x > 123_456", (123_457,)),
    ([generators.floats(-99.0, 99.0)], "x > 9.5", (10.0,)),
    ([generators.lists(ints, 20)], "len(x) > 4", ([0] * 5,)),
    ([generators.lists(ints, 20)], "sum(x) > 99", ([100],)),
    ([generators.lists(ints, 20)], "any(i > 20 for i in x)", ([21],)),
    ([generators.lists(ints, 20)], "x != sorted(x)", ([1, 0],)),
    ([words], "'x' in x", ("x",)),
    ([generators.text("bcd", 20)], "len(x) >= 3", ("aaa",)),
    ([generators.dictionaries(words, ints, 8)], "any(v > 50 for v in x.values())", None),
    ([ints, ints], "x > 10 and y > 20", (11, 21)),
    ([generators.tuples(ints, words)], "x[0] > 5 and 'z' in x[1]", ((6, "z"),)),
    ([ints, generators.lists(ints, 9)], "x in y", None),
]


@check_rows(("arguments", "wrong", "minimal"), PLANTED)
def test_a_planted_mistake_is_shown_on_its_smallest_input(arguments, wrong, minimal):
    names = "x, y" if len(arguments) == 2 else "x"
    spec = TaskSpec("task", generators.arguments(*arguments))
    baseline = f"def solve({names}):\n    return 'right'\n"
    candidate = f"def solve({names}):\n    return 'wrong' if {wrong} else 'right'\n"
    report = judged(spec, baseline, candidate, n=400, lint=False)
    assert report.code == "mismatch"
    (shown,) = report.violations
    found = eval(shown.input)
    assert eval(wrong, {}, dict(zip(("x", "y"), found, strict=False)))
    if minimal is None:
        assert sum(len(str(each)) for each in found) < 12
    else:
        assert found == minimal


@settings(max_examples=25, deadline=None)
@given(st.integers(-60, 60), st.integers(2, 9), st.integers(0, 10**6))
def test_what_was_shrunk_still_violates_and_nothing_simpler_does(limit, modulus, seed):
    def wrong(x):
        return x > limit and x % modulus == 1

    spec = TaskSpec("task", NUMBERS)
    candidate = f"def solve(x):\n    return x > {limit} and x % {modulus} == 1\n"
    report = judged(spec, "def solve(x):\n    return False\n", candidate, n=300, seed=seed)
    for shown in report.violations:
        assert wrong(*shown.arguments)
        assert not any(wrong(each) for each in simpler(shown.arguments[0]))


# --- what counts ---------------------------------------------------------------------------------------------------


def test_inputs_stay_inside_the_task():
    def minimal(**parts):
        spec = TaskSpec("task", generators.arguments(generators.integers(100, 999)), **parts)
        baseline, candidate = "def solve(x):\n    return 0\n", "def solve(x):\n    return 1\n"
        return judged(spec, baseline, candidate, n=60).violations[0].arguments

    assert minimal() == [0]
    assert minimal(valid=lambda x: 100 <= x <= 999) == [100]
    assert minimal(valid=lambda x: x >= 0 and 100 // x <= 1) == [51]  # what it raises on is not valid either


def test_inputs_that_the_baseline_cannot_answer_do_not_count():
    baseline = "def solve(x):\n    return 100 // max(0, x - 9)\n"
    candidate = "def solve(x):\n    return 'wrong'\n"
    spec = TaskSpec("task", generators.arguments(generators.integers(50, 999)))
    assert judged(spec, baseline, candidate, n=60).violations[0].arguments == [10]


def test_inputs_on_which_the_baseline_breaks_a_rule_do_not_count():
    spec = TaskSpec(
        "task", generators.arguments(generators.integers(50, 999)), [Property(lambda output, x: x >= 30, "large")]
    )
    assert judged(spec, "def solve(x):\n    return 0\n", "def solve(x):\n    return 1\n", n=60).violations[
        0
    ].arguments == [30]


def test_the_same_has_to_speak_against_the_candidate():
    """Above 500 it is wrong, above 100 it raises: the smallest of the first kind is shown, not one of the other."""
    spec = TaskSpec("task", generators.arguments(generators.integers(600, 999)))
    candidate = "def solve(x):\n    if 100 < x <= 500:\n        raise ValueError(x)\n    return x > 500\n"
    (shown,) = judged(spec, "def solve(x):\n    return False\n", candidate, n=60).violations
    assert (shown.kind, shown.arguments) == ("mismatch", [501])


def test_a_relation_is_shrunk_with_its_own_transform():
    spec = TaskSpec(
        "task",
        NUMBERS,
        relations=[MetamorphicRelation("even", lambda x: (-x,))],
        equivalence=lambda a, b: abs(a - b) < 3,
    )
    candidate = "def solve(x):\n    return abs(x) + (2 if x > 30 else -2 if x < -30 else 0)\n"
    (shown,) = judged(spec, "def solve(x):\n    return abs(x)\n", candidate, n=200).violations
    assert (shown.kind, shown.name) == ("relation", "even")
    assert shown.arguments == [31]


def test_what_a_fresh_process_does_not_confirm_is_not_shown():
    """Alone, the candidate is wrong on large inputs only; among others it is wrong on all."""
    text = "calls = []\ndef solve(x):\n    calls.append(x)\n    return x > 50 or len(calls) > 1\n"
    spec = TaskSpec("task", lambda n, seed: [(90,)] * n)
    (shown,) = judged(spec, "def solve(x):\n    return False\n", text, n=60).violations
    assert shown.arguments[0] > 50


def test_without_anything_simpler_the_input_stays():
    one = evaluation(
        TaskSpec("task", lambda n, seed: [(0,)] * n),
        "def solve(x):\n    return 0\n",
        "def solve(x):\n    return 1\n",
        n=4,
    )

    async def found():
        judged_, _ = await one.next_batch(1)
        best, breach = await shrunk(one, judged_[0], judged_[0].against_candidate[0])
        return best is judged_[0], breach.kind

    assert asyncio.run(found()) == (True, "mismatch")


def test_shrinking_asks_for_batches_and_not_for_single_calls():
    sandbox = VouchedSandbox()
    spec = TaskSpec("task", lambda n, seed: [(900,)] * n)
    judged(
        spec,
        "def solve(x):\n    return False\n",
        "def solve(x):\n    return x > 100\n",
        sandbox=sandbox,
        n=60,
        parallel=1,
    )
    assert len(sandbox.asks) < 100

"""What speaks against an answer, and what does not."""

import math

import pytest
from tests.guard.making import NUMBERS, answers, checker, raised, trial, value
from tests.support.rows import check_rows

from mendel.contracts.errors import SpecFailed
from mendel.contracts.evaluations import Outcome
from mendel.guard import MetamorphicRelation, Property, TaskSpec, same
from mendel.guard.checking import Breach, Checker

POSITIVE = Property(lambda output, x: output > 0, "positive")
NEXT = MetamorphicRelation("next", lambda x: (x + 1,))
TIMEOUT = Outcome("timeout", error_type="Timeout", error_code="SANDBOX_TIMEOUT", message="too long")


def relation(expect, **parts) -> Checker:
    return checker(relations=[MetamorphicRelation("next", lambda x: (x + 1,), expect=expect)], **parts)


def names(breaches) -> list[tuple[str, str]]:
    return [(breach.kind, breach.name) for breach in breaches]


# --- properties ----------------------------------------------------------------------------------------------------


def test_a_property_is_asked_about_the_output_and_all_arguments():
    asked = []
    rule = Property(lambda *given: bool(asked.append(given)) or True, "seen")
    assert checker(properties=[rule]).breaches(trial(1, [2]), answers(3)) == ()
    assert asked == [(3, 1, [2])]


def test_a_property_that_does_not_hold_speaks_against_the_side():
    assert checker(properties=[POSITIVE]).breaches(trial(1), answers(-1)) == (Breach("property", "positive"),)
    assert checker(properties=[POSITIVE]).breaches(trial(1), answers(1)) == ()


def test_a_check_that_raises_does_not_hold():
    (breach,) = checker(properties=[POSITIVE]).breaches(trial(1), answers("text"))
    assert (breach.kind, breach.name) == ("property", "positive")
    assert "its check raised TypeError" in breach.detail


def test_what_a_check_answers_with_counts_as_true_or_false():
    assert checker(properties=[Property(lambda output, x: [], "full")]).breaches(trial(1), answers(1))
    assert not checker(properties=[Property(lambda output, x: "yes", "full")]).breaches(trial(1), answers(1))


def test_every_broken_property_is_told():
    rules = [POSITIVE, Property(lambda output, x: output % 2 == 0, "even")]
    assert names(checker(properties=rules).breaches(trial(1), answers(-1))) == [
        ("property", "positive"),
        ("property", "even"),
    ]


def test_soft_properties_are_told_apart():
    rules = checker(properties=[Property(lambda output, x: output > 0, "nice", "soft")])
    assert rules.breaches(trial(1), answers(-1)) == ()
    assert rules.soft_breaches(trial(1), answers(-1)) == ["nice"]
    assert rules.soft_breaches(trial(1), answers(1)) == []
    assert rules.soft_breaches(trial(1), answers(raised())) == []


@pytest.mark.parametrize("changes", [lambda output, xs: xs.sort() is None, lambda output, xs: output.sort() is None])
def test_a_check_that_changes_what_it_is_asked_about_is_the_tasks_failure(changes):
    with pytest.raises(SpecFailed, match="property 'sorts in place' changes its arguments or the output"):
        checker(properties=[Property(changes, "sorts in place")]).breaches(trial([3, 1]), answers([2, 1]))


@pytest.mark.parametrize(
    ("outcome", "code", "told"),
    [(raised("KeyError", "x"), "SANDBOX_EXCEPTION", "it raises KeyError: x"), (TIMEOUT, "SANDBOX_TIMEOUT", "too long")],
)
def test_no_answer_is_all_that_is_said(outcome, code, told):
    rules = checker(properties=[POSITIVE], relations=[NEXT])
    assert rules.breaches(trial(1, variants=[(2,)]), answers(outcome, 3)) == (Breach("failure", code, told),)


# --- relations -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("after", "expected"), [(1, []), (2, [("relation", "next")])])
def test_equal_means_equivalent(after, expected):
    assert names(relation("equal").breaches(trial(1, variants=[(2,)]), answers(1, after))) == expected
    forgiving = relation("equal", equivalence=lambda a, b: abs(a - b) <= 1)
    assert forgiving.breaches(trial(1, variants=[(2,)]), answers(1, after)) == ()


def test_identical_outputs_are_equal_whatever_nan_says_of_itself():
    strict = relation("equal", equivalence=lambda a, b: a == b)
    assert strict.breaches(trial(1, variants=[(2,)]), answers(math.nan, float("nan"))) == ()


def test_properties_hold_asks_about_the_second_output_and_its_own_arguments():
    above = Property(lambda output, x: output > x, "above")
    rules = relation("properties_hold", properties=[above])
    assert names(rules.breaches(trial(1, variants=[(2,)]), answers(5, 2))) == [("relation", "next")]
    assert rules.breaches(trial(1, variants=[(2,)]), answers(5, 3)) == ()


def test_soft_properties_need_not_hold():
    rules = relation("properties_hold", properties=[Property(lambda output, x: False, "nice", "soft")])
    assert rules.breaches(trial(1, variants=[(2,)]), answers(5, 2)) == ()


def test_a_function_is_asked_about_both_outputs():
    rules = relation(lambda before, after: before < after)
    assert rules.breaches(trial(1, variants=[(2,)]), answers(1, 2)) == ()
    assert names(rules.breaches(trial(1, variants=[(2,)]), answers(2, 1))) == [("relation", "next")]


def test_a_function_of_four_is_told_the_arguments_too():
    asked = []
    rules = relation(lambda before, after, args, transformed: bool(asked.append((before, after, args, transformed))))
    assert rules.breaches(trial(1, variants=[(2,)]), answers(10, 20)) == (Breach("relation", "next", "", 0),)
    assert asked == [(10, 20, (1,), (2,))]


def test_an_expectation_that_raises_does_not_hold():
    (breach,) = relation(lambda before, after: before < after).breaches(trial(1, variants=[(2,)]), answers(1, "a"))
    assert "its expectation raised TypeError" in breach.detail


def test_a_relation_that_does_not_apply_says_nothing():
    assert relation(lambda before, after: False).breaches(trial(1, variants=[None]), answers(1, None)) == ()


def test_no_answer_to_the_variant_breaks_the_relation():
    (breach,) = relation("equal").breaches(trial(1, variants=[(2,)]), answers(1, raised("KeyError", "x")))
    assert breach == Breach("relation", "next", "on the transformed input: it raises KeyError: x", 0)


# --- against the baseline ------------------------------------------------------------------------------------------


def differences(candidate, baseline, equivalence=same) -> list[Breach]:
    return list(Checker(TaskSpec("task", NUMBERS, equivalence=equivalence)).mismatches(candidate, baseline))


@check_rows(
    ("ours", "theirs"),
    [
        (1, 1),
        (math.nan, float("nan")),
        (-0.0, 0.0),
        (None, None),
        (raised("KeyError"), raised("KeyError", "for another reason")),
        (1, TIMEOUT),
    ],
)
def test_these_are_the_same_answer(ours, theirs):
    assert differences(answers(ours), answers(theirs)) == []


@check_rows(
    ("ours", "theirs", "told"),
    [
        (1, 2, "its answer differs from the baseline's"),
        (None, 0, "its answer differs from the baseline's"),
        (raised("KeyError", "x"), raised("ValueError"), "the baseline raises ValueError here"),
        (1, raised("ValueError"), "the baseline raises ValueError here"),
        (TIMEOUT, raised("ValueError"), "the baseline raises ValueError here"),
    ],
)
def test_these_are_not(ours, theirs, told):
    assert differences(answers(ours), answers(theirs)) == [Breach("mismatch", "equivalence", told)]


@pytest.mark.parametrize("ours", [raised("KeyError", "x"), TIMEOUT])
def test_that_there_is_no_answer_is_told_once(ours):
    """As a failure of the side, and not as another answer beside it."""
    assert differences(answers(ours), answers(1)) == []
    assert [breach.kind for breach in checker().breaches(trial(1), answers(ours))] == ["failure"]


def test_answers_to_variants_are_compared_as_well():
    assert [breach.place for breach in differences(answers(1, 2, 3), answers(1, 0, 3))] == [0]
    assert differences(answers(1, None), answers(1, None)) == []


def test_minus_zero_is_identical_to_itself_where_the_task_tells_it_from_zero():
    strict = lambda a, b: a == b and str(a) == str(b)  # noqa: E731
    assert differences(answers(-0.0), answers(-0.0), strict) == []
    assert differences(answers(-0.0), answers(0.0), strict) != []


def test_nan_is_itself_under_plain_equality():
    assert differences(answers([1.0, math.nan]), answers([1.0, float("nan")]), lambda a, b: a == b) == []
    assert differences(answers([1.0, math.nan]), answers([2.0, float("nan")]), lambda a, b: a == b) != []


def test_an_equivalence_that_raises_on_the_candidates_output_speaks_against_the_candidate():
    (breach,) = differences(answers("text"), answers(1), lambda a, b: abs(a - b) < 1)
    assert "the equivalence raised TypeError" in breach.detail


def test_an_equivalence_that_raises_on_the_baselines_own_output_is_the_tasks_failure():
    with pytest.raises(
        SpecFailed, match=r"equivalence raised TypeError.*an answer of the baseline with itself: 'text'"
    ):
        differences(answers(1), answers("text"), lambda a, b: abs(a - b) < 1)


# --- shown ---------------------------------------------------------------------------------------------------------


def test_values_are_shown_as_the_task_says_or_else_as_they_are():
    rules = checker(fmt_in=lambda args: f"x = {args[0]}", fmt_out=lambda output: output["nothing"])
    assert rules.shown_input((3,)) == "x = 3"
    assert rules.shown_output([1]) == "[1]"
    assert checker().shown_output(value(1).value) == "1"


@check_rows("number", [10**5_000, [1, -(10**5_000)], {"k": 10**5_000}])
def test_a_number_too_long_to_be_written_is_shown_somehow(number):
    """Python refuses to write integers of more than 4,300 digits."""
    assert checker().shown_output(number)
    assert checker(fmt_in=lambda args: str(args[0])).shown_input((number,))

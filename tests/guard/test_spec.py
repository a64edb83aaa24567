"""What a task is made of, and what is refused about it at once."""

import pytest
from tests.guard.making import NUMBERS
from tests.support.rows import check_rows

from mendel.contracts.errors import ConfigError
from mendel.guard import MetamorphicRelation, Metric, Property, TaskSpec, same
from mendel.guard.spec import as_arguments, shown


def yes(*_):
    return True


# --- properties ----------------------------------------------------------------------------------------------------


def test_a_property_is_hard_unless_it_says_otherwise():
    assert Property(yes, "fine").mode == "hard"


@check_rows(
    ("make", "told"),
    [
        (lambda: Property("x > 0", "positive"), "positive.*must be a function, not a str"),
        (lambda: Property(yes, "firm", mode="firm"), "'firm' is hard or soft, not 'firm'"),
        (lambda: MetamorphicRelation("turn", None), "turn.*must be a function, not a NoneType"),
        (lambda: MetamorphicRelation("turn", yes, expect="same"), "turn.*'equal', 'properties_hold' or a function"),
        (lambda: Metric("cost", 3), "cost.*must be a function, not a int"),
        (lambda: Metric("cost", yes, kind="median"), "cost.*is mean or sum, not 'median'"),
        (lambda: Metric("cost", yes, ci_method="nope"), "cost.*nope"),
        (lambda: TaskSpec("t", NUMBERS, equivalence=3), "equivalence of task 't' must be a function"),
    ],
)
def test_a_part_that_cannot_work_is_refused_by_name(make, told):
    with pytest.raises(ConfigError, match=told):
        make()


def test_an_expectation_takes_two_or_four_arguments():
    with pytest.raises(ConfigError, match="turn"):
        MetamorphicRelation("turn", yes, expect=lambda before, after, args: True)


@check_rows(
    ("parts", "told"),
    [
        (
            {"relations": [MetamorphicRelation("turn", yes), MetamorphicRelation("turn", yes)]},
            "two relations called 'turn'",
        ),
        ({"metrics": [Metric("cost", yes), Metric("cost", yes)]}, "two metrics called 'cost'"),
        ({"properties": [Property(yes, "fine"), Property(yes, "fine", "soft")]}, "two properties called 'fine'"),
    ],
)
def test_two_parts_of_a_name_are_refused(parts, told):
    with pytest.raises(ConfigError, match=told):
        TaskSpec("t", NUMBERS, **parts)


def test_parts_may_come_from_anything_that_can_be_gone_through_once():
    spec = TaskSpec(
        "t",
        NUMBERS,
        (rule for rule in [Property(yes, "fine")]),
        (relation for relation in [MetamorphicRelation("turn", yes)]),
        metrics=(metric for metric in [Metric("cost", yes)]),
    )
    for _ in range(2):
        assert [rule.description for rule in spec.hard] == ["fine"]
        assert [relation.name for relation in spec.relations] == ["turn"]
        assert [metric.name for metric in spec.metrics] == ["cost"]


@check_rows("parts", [{"metrics": [Metric("cost", yes)], "packages": "numpy"}, {"name": "nul \0"}, {"name": "\ud800"}])
def test_what_would_be_misread_later_is_refused_now(parts):
    with pytest.raises(ConfigError):
        TaskSpec(**{"name": "t", "gen_inputs": NUMBERS, **parts})


def test_time_is_the_gates_own_metric():
    with pytest.raises(ConfigError, match="time"):
        TaskSpec("t", NUMBERS, metrics=[Metric("time", yes)])


def test_only_hard_properties_decide():
    rules = [Property(yes, "a"), Property(yes, "b", "soft"), Property(yes, "c")]
    assert [rule.description for rule in TaskSpec("t", NUMBERS, rules).hard] == ["a", "c"]


def test_without_a_word_outputs_are_compared_by_what_they_are():
    spec = TaskSpec("t", NUMBERS)
    assert spec.equivalence is same
    assert (spec.fmt_in, spec.fmt_out) == (shown, shown)
    assert shown((1, "a")) == "(1, 'a')"


# --- transforms ----------------------------------------------------------------------------------------------------


@check_rows(("made", "arguments"), [((1, 2), (1, 2)), ((), ()), ([1, 2], ([1, 2],)), (None, (None,)), ("ab", ("ab",))])
def test_a_tuple_is_the_arguments_and_anything_else_is_the_only_one(made, arguments):
    assert as_arguments(made) == arguments


def test_a_transform_answers_with_the_arguments_of_the_second_call():
    assert MetamorphicRelation("swap", lambda a, b: (b, a)).transformed((1, 2), seed=0) == (2, 1)
    assert MetamorphicRelation("turn", lambda xs: xs[::-1]).transformed(([1, 2],), seed=0) == ([2, 1],)


def test_a_transform_that_does_not_apply_says_none():
    assert MetamorphicRelation("half", lambda x: None if x % 2 else (x // 2,)).transformed((3,), seed=0) is None


def test_a_transform_is_handed_the_same_random_numbers_for_the_same_seed():
    relation = MetamorphicRelation("move", lambda x, rng: (x + rng.random(),), accepts_rng=True)
    assert relation.transformed((1,), seed=5) == relation.transformed((1,), seed=5)
    assert relation.transformed((1,), seed=5) != relation.transformed((1,), seed=6)

"""Scores: the arithmetic, what is refused, and the line that explains it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.scoring import ScoringPolicy
from mendel.selection.scoring import NORMALIZATIONS, directed, score

names = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
numbers = st.floats(-1e6, 1e6)
tables = st.dictionaries(names, numbers, min_size=1, max_size=8)


def policy(normalization: str | None = None, **weights: float) -> ScoringPolicy:
    return ScoringPolicy(weights=weights, normalization=normalization)


def exact(components, weights) -> Fraction:
    """The sum of the products as a machine makes them, added without any rounding."""
    return sum((Fraction(weights[name] * components[name]) for name in weights), Fraction(0))


# --- the arithmetic ------------------------------------------------------------------------------------------------


@given(tables)
def test_without_weights_every_component_weighs_one(components):
    assert score(policy(), "candidate-1", components).total == float(exact(components, dict.fromkeys(components, 1.0)))


@given(tables, st.data())
def test_a_total_is_the_sum_of_weighted_components(components, data):
    weights = {name: data.draw(numbers) for name in components}
    assert score(policy(**weights), "candidate-1", components).total == float(exact(components, weights))


@given(tables, st.data())
def test_weight_sum_divides_by_the_absolute_weights(components, data):
    weights = {name: data.draw(numbers.filter(bool)) for name in components}
    divisor = float(sum(Fraction(abs(weight)) for weight in weights.values()))
    total = score(policy("weight_sum", **weights), "candidate-1", components).total
    assert total == float(exact(components, weights)) / divisor


@given(tables, st.data())
def test_the_order_of_components_never_matters(components, data):
    weights = {name: data.draw(numbers) for name in components}
    shuffled = dict(data.draw(st.permutations(list(components.items()))))
    turned = dict(reversed(weights.items()))
    first = score(policy(**weights), "candidate-1", components)
    assert score(policy(**turned), "candidate-1", shuffled).model_dump_json() == first.model_dump_json()


def test_a_sum_does_not_lose_what_is_small():
    assert score(policy(), "candidate-1", {"a": 1e16, "b": 1.0, "c": -1e16}).total == 1.0


def test_only_what_is_there_is_divided_by():
    found = score(
        policy("weight_sum", quality=2, speed=-2, size=9), "candidate-1", {"quality": 3, "speed": 1}, absent=["size"]
    )
    assert found.total == 1.0


# --- the line ------------------------------------------------------------------------------------------------------


def test_the_explanation_is_one_readable_line():
    found = score(policy(speed=1, quality=2), "candidate-1", {"speed": 0.5, "quality": 0.8})
    assert found.explanation == "quality 0.8 x 2 + speed 0.5 x 1 = 2.1 (policy default-1)"


def test_the_explanation_shows_the_division():
    found = score(policy("weight_sum", quality=2, speed=1), "candidate-1", {"quality": 0.8, "speed": 0.5})
    assert found.explanation == "(quality 0.8 x 2 + speed 0.5 x 1) / 3 = 0.7 (policy default-1)"


def test_the_explanation_names_what_has_no_weight_is_absent_or_estimated():
    found = score(
        ScoringPolicy(version="strict-2", weights={"quality": 2, "size": 1}),
        "candidate-1",
        {"quality": 1 / 3, "luck": 7.0, "age": 3},
        absent=["size", "charm"],
        estimated=["quality"],
    )
    assert found.explanation == (
        "quality 0.333333 x 2 = 0.666667 (policy strict-2); age 3 has no weight; luck 7 has no weight; "
        "charm is absent; size is absent; quality is estimated"
    )


def test_a_score_holds_everything_it_was_made_of():
    found = score(
        policy(quality=2),
        "candidate-4",
        {"quality": 0.5, "luck": 7.0},
        absent=["size", "charm", "size"],
        estimated=["quality", "luck"],
        descriptor={"length": 12.0},
    )
    assert found.candidate_id == "candidate-4"
    assert found.policy_version == "default-1"
    assert found.components == {"quality": 0.5, "luck": 7.0}
    assert found.absent == ("charm", "size")
    assert found.estimated == ("luck", "quality")
    assert found.descriptor == {"length": 12.0}
    assert score(policy(), "candidate-4", {"a": 1.0}).descriptor == {}


# --- what is refused -----------------------------------------------------------------------------------------------


def test_an_unknown_normalization_answers_with_the_known_ones():
    with pytest.raises(ValueError, match='"softmax"; use weight_sum'):
        score(policy("softmax"), "candidate-1", {"a": 1.0})
    assert all(score(policy(known), "candidate-1", {"a": 1.0}) for known in NORMALIZATIONS)


@check_rows("value", [float("nan"), float("inf"), -float("inf")])
@check_rows("weights", [{}, {"a": 1.0}, {"a": 1.0, "b": 0.0}])
def test_a_component_is_finite_with_a_weight_or_without(value, weights):
    with pytest.raises(ValueError, match="not finite: b"):
        score(policy(**weights), "candidate-1", {"a": 1.0, "b": value})


def test_what_has_a_weight_is_there_or_absent():
    with pytest.raises(ValueError, match="neither present nor absent: size, speed"):
        score(policy(quality=1, speed=1, size=1), "candidate-1", {"quality": 1.0})


def test_nothing_is_there_and_absent():
    with pytest.raises(ValueError, match="present and absent: quality"):
        score(policy(), "candidate-1", {"quality": 1.0}, absent=["quality"])


def test_what_is_estimated_is_there():
    with pytest.raises(ValueError, match="estimated but not present: size"):
        score(policy(), "candidate-1", {"quality": 1.0}, estimated=["size"])


@check_rows(
    ("weights", "components", "absent"),
    [({}, {}, []), ({"a": 1.0}, {}, ["a"]), ({"a": 1.0}, {"b": 1.0}, ["a"])],
)
def test_nothing_weighed_is_no_total_of_zero(weights, components, absent):
    with pytest.raises(ValueError, match="no weight for any component that is present"):
        score(policy(**weights), "candidate-1", components, absent=absent)


def test_a_weight_of_zero_is_a_weight():
    assert score(policy(a=0.0), "candidate-1", {"a": 5.0}).total == 0.0
    with pytest.raises(ValueError, match="cannot divide"):
        score(policy("weight_sum", a=0.0), "candidate-1", {"a": 5.0})


@check_rows("normalization", [None, "weight_sum"])
@check_rows(
    ("weights", "components"),
    [
        ({"a": 1e200}, {"a": 1e200}),
        ({"a": 1.0, "b": 1.0}, {"a": 1.7e308, "b": 1.7e308}),
        ({"a": 1e200, "b": 1e200}, {"a": 1e200, "b": -1e200}),
    ],
)
def test_a_total_that_is_no_number_is_refused(normalization, weights, components):
    with pytest.raises(ValueError, match="too large"):
        score(policy(normalization, **weights), "candidate-1", components)


def test_weights_that_cannot_be_added_are_refused():
    with pytest.raises(ValueError, match="too large"):
        score(policy("weight_sum", a=1e308, b=1e308), "candidate-1", {"a": 0.5, "b": 0.5})


# --- directions ----------------------------------------------------------------------------------------------------


def test_components_with_a_weight_are_turned_so_that_larger_is_better():
    components = {"speed": 2.0, "memory": 3.0, "size": -1.0, "age": 9.0}
    assert directed(policy(speed=5.0, memory=-0.5, size=0.0), components) == {"speed": 2.0, "memory": -3.0}
    assert directed(policy(), components) == components
    assert directed(policy(speed=1.0, gone=1.0), {"speed": 0.0}) == {"speed": 0.0}


@given(tables, tables)
def test_a_better_component_makes_a_better_total(components, weights):
    for name, value in directed(policy(**weights), components).items():
        assert value == components[name] * (1 if weights[name] > 0 else -1)

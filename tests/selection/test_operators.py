"""Operators: what one is, how often it is drawn, and what is counted."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.operators import Operator, OperatorWeights, Tally
from mendel.selection.selectors import Outcome

SWAP = Operator(name="swap", step="programs.swap", weight=3.0)
TWEAK = Operator(name="tweak", step="programs.tweak")
CROSS = Operator(name="cross", step="programs.cross", parents=2, mode="crossover", weight=4.0)
DRAWS = 4_000


def outcome(operator: str | None, fitness: float | None) -> Outcome:
    return Outcome("genome-9", 9, ("genome-1",) if operator else (), operator, fitness)


# --- the contract --------------------------------------------------------------------------------------------------


def test_one_parent_of_weight_one_is_the_default():
    assert (TWEAK.parents, TWEAK.weight, TWEAK.mode) == (1, 1.0, None)


@check_rows("mode", ["fusion", "crossover", "output_synthesis"])
@check_rows("parents", [2, 8])
def test_several_parents_have_a_mode(parents, mode):
    assert Operator(name="mix", step="a.b", parents=parents, mode=mode).mode == mode


@check_rows(
    "wrong",
    [
        {"parents": 2},
        {"parents": 1, "mode": "fusion"},
        {"mode": "crossover"},
        {"parents": 0},
        {"parents": 9, "mode": "fusion"},
        {"parents": 2, "mode": "marriage"},
        {"weight": -1.0},
        {"weight": float("inf")},
        {"weight": float("nan")},
        {"name": "Swap It"},
        {"step": "swap"},
        {"color": "red"},
    ],
)
def test_nonsense_is_refused(wrong):
    with pytest.raises(ValidationError):
        Operator.model_validate({"name": "mix", "step": "a.b", **wrong})


def test_an_operator_survives_json():
    assert Operator.model_validate_json(CROSS.model_dump_json()) == CROSS


def test_an_operator_is_frozen():
    with pytest.raises(ValidationError):
        SWAP.weight = 2.0


# --- draws ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("eligible", "expected"),
    [(1, {SWAP: 3 / 4, TWEAK: 1 / 4}), (2, {SWAP: 3 / 8, TWEAK: 1 / 8, CROSS: 1 / 2})],
)
def test_each_is_drawn_by_its_share_of_those_that_are_possible(eligible, expected):
    weights = OperatorWeights([SWAP, TWEAK, CROSS])
    drawn = Counter(weights.draw(eligible, Entropy("share", draw)).operator.name for draw in range(DRAWS))
    assert set(drawn) == {operator.name for operator in expected}
    for operator, share in expected.items():
        assert drawn[operator.name] / DRAWS == pytest.approx(share, abs=0.04)


@given(st.lists(st.integers(1, 8), max_size=6), st.integers(-1, 9), st.integers())
def test_nothing_is_drawn_that_needs_more_parents_than_there_are(needs, eligible, seed):
    operators = [
        Operator(name=f"op{place}", step="a.b", parents=need, mode="fusion" if need > 1 else None)
        for place, need in enumerate(needs)
    ]
    drawn = OperatorWeights(operators).draw(eligible, Entropy(seed))
    assert (drawn is None) == all(need > eligible for need in needs)
    assert drawn is None or drawn.operator.parents <= eligible


def test_the_same_key_draws_the_same():
    assert OperatorWeights([SWAP, TWEAK]).draw(1, Entropy(1)) == OperatorWeights([SWAP, TWEAK]).draw(1, Entropy(1))


def test_without_operators_there_is_nothing_to_draw():
    assert OperatorWeights([]).draw(8, Entropy("seed")) is None


def test_two_of_a_name_are_refused():
    with pytest.raises(ValueError, match="swap, tweak, swap"):
        OperatorWeights([SWAP, TWEAK, SWAP])


# --- what is counted -----------------------------------------------------------------------------------------------


def test_tries_and_improvements_are_counted():
    weights = OperatorWeights([SWAP, TWEAK])
    for told in [("swap", 1.0), ("tweak", 0.5), ("swap", 2.0), ("swap", None), ("tweak", 2.0), ("tweak", 3.0)]:
        weights.feedback(outcome(*told))
    assert weights.tally("swap") == Tally(tries=3, improvements=2)
    assert weights.tally("tweak") == Tally(tries=3, improvements=1)


def test_founders_and_strangers_set_the_mark_to_be_beaten():
    weights = OperatorWeights([SWAP])
    for told in [(None, 1.0), ("swap", 0.5), ("proposal", 5.0), ("swap", 4.0), ("swap", 6.0)]:
        weights.feedback(outcome(*told))
    assert weights.tally("swap") == Tally(tries=3, improvements=1)
    with pytest.raises(KeyError):
        weights.tally("proposal")


@given(st.lists(st.tuples(st.sampled_from(["swap", "tweak", None]), st.none() | st.floats(-9, 9))), st.integers())
def test_counts_without_gains_do_not_move_the_weights(story, seed):
    weights = OperatorWeights([SWAP, TWEAK, CROSS])
    before = weights.draw(2, Entropy(seed))
    for told in story:
        weights.feedback(outcome(*told))
    assert weights.draw(2, Entropy(seed)) == before
    assert sum(weights.tally(each.name).tries for each in (SWAP, TWEAK)) == sum(name is not None for name, _ in story)


# --- sites ---------------------------------------------------------------------------------------------------------


def test_sites_share_the_weight_of_their_operator():
    somewhere = SWAP.model_copy(update={"sites": ("loops", "calls", "branches")})
    drawn = Counter(OperatorWeights([somewhere, TWEAK]).draw(1, Entropy("site", draw)) for draw in range(DRAWS))
    assert {arm.site for arm in drawn} == {"loops", "calls", "branches", None}
    assert all(times / DRAWS == pytest.approx(1 / 4, abs=0.04) for times in drawn.values())


@check_rows("sites", [("loops", "loops"), ("Hot Loops",), ("",)])
def test_sites_have_different_names(sites):
    with pytest.raises(ValidationError):
        Operator(name="swap", step="a.b", sites=sites)

"""Adaptive epsilon: greedy while it pays, curious while it does not."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.population import Member, Population
from mendel.selection.selectors import AdaptiveEpsilon, Choice, Outcome

DRAWS = 4_000


def crowd(*fitnesses: float) -> Population:
    population = Population()
    for number, fitness in enumerate(fitnesses):
        population.add(Member(f"genome-{number}", number, fitness, 0, True, f"candidate-{number}"))
    return population


def child(fitness: float | None) -> Outcome:
    return Outcome("genome-9", 9, ("genome-1",), "swap", fitness)


def founder(fitness: float | None) -> Outcome:
    return Outcome("genome-0", 0, (), None, fitness)


def after(*outcomes: Outcome, **options) -> float:
    selector = AdaptiveEpsilon(**options)
    for outcome in outcomes:
        selector.feedback(outcome)
    return selector.epsilon


# --- what it chooses -----------------------------------------------------------------------------------------------


@check_rows("epsilon", [0.05, 0.3, 0.8])
def test_it_explores_as_often_as_epsilon_says(epsilon):
    population, selector = crowd(0, 1, 2, 3), AdaptiveEpsilon(epsilon)
    chosen = Counter(selector.select(population, 1, Entropy("often", draw)).parents for draw in range(DRAWS))
    for number in range(3):
        assert chosen[(f"genome-{number}",)] / DRAWS == pytest.approx(epsilon / 4, abs=0.03)
    assert chosen[("genome-3",)] / DRAWS == pytest.approx(1 - epsilon * 3 / 4, abs=0.04)


def test_without_curiosity_it_takes_the_best_in_order():
    selector = AdaptiveEpsilon(1e-12, lowest=1e-12)
    choice = selector.select(crowd(0.2, 0.81, 0.5, 0.81), 3, Entropy("seed"))
    assert choice.parents == ("genome-1", "genome-3", "genome-2")
    assert choice.why == (
        "epsilon 1e-12: genome-1 (0.81) is the best of 4; genome-3 (0.81) is the best of 3; "
        "genome-2 (0.5) is the best of 2"
    )


def test_the_best_is_the_best_of_those_that_may_be_parents():
    population = crowd(0.2, 0.3)
    population.add(Member("genome-7", 7, 99.0, 0, False, "candidate-7"))
    selector = AdaptiveEpsilon(1e-12, lowest=1e-12)
    assert selector.select(population, 1, Entropy("seed")).parents == ("genome-1",)


def test_an_exploration_says_what_it_passed_over():
    selector = AdaptiveEpsilon(1.0, highest=1.0)
    whys = {selector.select(crowd(0.2, 0.81), 1, Entropy(draw)).why for draw in range(50)}
    assert whys == {
        "epsilon 1: genome-0 (0.2) drawn from 2, the best of them genome-1 (0.81)",
        "epsilon 1: genome-1 (0.81) drawn from 2, the best of them genome-1 (0.81)",
    }


# --- how epsilon moves ---------------------------------------------------------------------------------------------


def test_an_improvement_shrinks_it():
    assert after(child(1.0), epsilon=0.5, shrink=0.5) == 0.25
    assert after(child(1.0), child(2.0), epsilon=0.5, shrink=0.5) == 0.125


def test_a_row_of_disappointments_grows_it():
    dull = [child(1.0)] * 3
    options = {"epsilon": 0.25, "grow": 1.5, "shrink": 1.0, "patience": 3}
    assert after(child(1.0), *dull[:2], **options) == 0.25
    assert after(child(1.0), *dull, **options) == 0.375
    assert after(child(1.0), *dull, *dull, **options) == 0.5625


def test_an_improvement_ends_the_row():
    options = {"epsilon": 0.25, "grow": 2.0, "shrink": 1.0, "patience": 2}
    assert after(child(1.0), child(0.5), child(2.0), child(0.5), **options) == 0.25


def test_failures_disappoint():
    assert after(child(None), child(None), epsilon=0.25, grow=2.0, patience=2) == 0.5


def test_equal_is_no_improvement():
    assert after(child(1.0), child(1.0), epsilon=0.25, grow=2.0, shrink=1.0, patience=1) == 0.5


def test_founders_set_the_mark_and_nothing_else():
    options = {"epsilon": 0.25, "grow": 2.0, "shrink": 0.5, "patience": 1}
    assert after(founder(1.0), founder(2.0), founder(0.5), founder(None), **options) == 0.25
    assert after(founder(2.0), child(1.0), **options) == 0.5
    assert after(founder(2.0), child(3.0), **options) == 0.125


def test_choices_do_not_move_it():
    selector = AdaptiveEpsilon(0.25)
    for _ in range(20):
        selector.chosen(Choice(("genome-1",), "because"))
    assert selector.epsilon == 0.25


@given(st.lists(st.none() | st.floats(-9, 9), max_size=200), st.integers(1, 4))
def test_it_never_leaves_its_bounds(fitnesses, patience):
    selector = AdaptiveEpsilon(0.3, lowest=0.2, highest=0.4, grow=1.3, shrink=0.7, patience=patience)
    for fitness in fitnesses:
        selector.feedback(child(fitness))
        assert 0.2 <= selector.epsilon <= 0.4


def test_it_reaches_its_bounds_and_comes_back():
    rising = [child(float(number)) for number in range(50)]
    dull = [child(None)] * 500
    assert after(*rising) == 0.05
    assert after(*dull) == after(*rising, *dull) == 0.8


@check_rows(
    "options",
    [
        {"epsilon": 0.9},
        {"epsilon": 0.01},
        {"epsilon": float("nan")},
        {"epsilon": 1.1, "highest": 1.1},
        {"epsilon": 0.0, "lowest": 0.0},
        {"lowest": 0.5, "highest": 0.4},
        {"grow": 0.9},
        {"grow": float("inf")},
        {"shrink": 0.0},
        {"shrink": 1.1},
        {"patience": 0},
    ],
)
def test_nonsense_is_refused(options):
    with pytest.raises(ValueError, match=r"lowest|shrink"):
        AdaptiveEpsilon(**options)

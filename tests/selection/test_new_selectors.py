"""What tells one selector from another: who is likely, and what moves that."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.selection.crowds import crowd, filled, member
from tests.support.rows import check_rows

from mendel.contracts.entropy import Entropy
from mendel.selection.scale import share
from mendel.selection.selectors import (
    AgeSelection,
    Choice,
    Lexicase,
    Outcome,
    ProportionalSelection,
    RankSelection,
    first_likelier,
)
from mendel.selection.track_record import MOST, ThompsonSampling, TrackRecords, UpperConfidenceBound

DRAWS = 4_000

numbers = st.floats(allow_nan=False, allow_infinity=False)


def shares(selector, population, draws=DRAWS):
    seen = Counter(selector.select(population, 1, Entropy("share", n)).parents[0] for n in range(draws))
    return {genome_id: times / draws for genome_id, times in seen.items()}


# --- scale ---------------------------------------------------------------------------------------------------------


@given(numbers, numbers, numbers)
def test_a_share_is_between_0_and_1_and_monotone(one, low, high):
    assert 0.0 <= share(one, low, high) <= 1.0
    if low < high and low / 2 < high / 2:
        assert share(low, low, high) == 0.0
        assert share(high, low, high) == 1.0
        assert share(one, low, high) <= share(max(one, high), low, high)


# --- rank ----------------------------------------------------------------------------------------------------------


def test_the_best_of_four_is_four_times_as_likely_as_the_worst():
    seen = shares(RankSelection(), crowd(1.0, 1e9, -5.0, 2.0))
    expected = {"genome-1": 0.4, "genome-3": 0.3, "genome-0": 0.2, "genome-2": 0.1}
    assert seen == pytest.approx(expected, abs=0.03)


@given(st.integers(1, 10**9), st.integers())
def test_a_rank_is_a_place(count, seed):
    assert 0 <= first_likelier(count, Entropy(seed)) < count


# --- proportional --------------------------------------------------------------------------------------------------


@check_rows("shift", [0.0, -100.0, 1e6])
@check_rows("fitnesses", [[0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 9.0], [5.0] * 5, [0.0] * 40 + [1.0]])
def test_shares_are_those_of_the_weights(fitnesses, shift):
    floor = 0.05
    seen = shares(ProportionalSelection(floor), crowd(*(each + shift for each in fitnesses)))
    span = max(fitnesses) - min(fitnesses)
    weights = [(each - min(fitnesses)) / span + floor if span else 1.0 for each in fitnesses]
    for number, weight in enumerate(weights):
        assert seen.get(f"genome-{number}", 0.0) == pytest.approx(weight / sum(weights), abs=0.03)


@given(st.lists(numbers, min_size=1, max_size=40), st.integers(1, 4), st.integers())
def test_any_fitness_has_a_share(fitnesses, count, seed):
    choice = ProportionalSelection().select(crowd(*fitnesses), count, Entropy(seed))
    assert len(choice.parents) == min(count, len(fitnesses))


def test_one_far_above_all_others_is_found_among_many():
    seen = shares(ProportionalSelection(0.0001), crowd(*[0.0] * 999, 1.0), draws=300)
    assert seen["genome-999"] > 0.8


@check_rows("floor", [0.0, -1.0, 1.5, float("nan")])
def test_a_floor_is_a_positive_share(floor):
    with pytest.raises(ValueError, match="floor"):
        ProportionalSelection(floor)


# --- age -----------------------------------------------------------------------------------------------------------


def test_the_young_are_likelier():
    seen = shares(AgeSelection(1), crowd(9.0, 9.0, 9.0, 9.0))
    assert seen == pytest.approx({f"genome-{n}": (n + 1) / 10 for n in range(4)}, abs=0.03)


def test_of_the_young_the_fitter():
    population = filled(member(n, float(n % 2)) for n in range(20))
    seen = shares(AgeSelection(4), population)
    assert sum(times for name, times in seen.items() if int(name.removeprefix("genome-")) % 2) > 0.8


def test_at_least_one_is_drawn_by_age():
    with pytest.raises(ValueError, match="at least one"):
        AgeSelection(0)


# --- lexicase ------------------------------------------------------------------------------------------------------


def specialists(*components):
    return filled(member(n, components=each) for n, each in enumerate(components))


def test_specialists_are_chosen_and_the_mediocre_are_not():
    population = specialists(
        {"speed": 9.0, "memory": 0.0}, {"speed": 0.0, "memory": 9.0}, {"speed": 4.0, "memory": 4.0}, {"speed": 1.0}
    )
    seen = shares(Lexicase(4), population, draws=400)
    assert seen.keys() <= {"genome-0", "genome-1", "genome-2"}
    assert min(seen["genome-0"], seen["genome-1"]) > 0.35


def test_without_components_the_fittest_of_the_pool():
    assert shares(Lexicase(3), crowd(1.0, 3.0, 2.0), draws=50) == {"genome-1": 1.0}


def test_whoever_lacks_a_component_falls_out():
    population = specialists({}, {"speed": -5.0}, {"speed": -9.0})
    assert "genome-0" not in shares(Lexicase(3), population, draws=100)


@given(st.lists(st.dictionaries(st.sampled_from("abcd"), numbers), min_size=1, max_size=9), st.integers())
def test_any_components_leave_somebody(components, seed):
    assert len(Lexicase().select(specialists(*components), 1, Entropy(seed)).parents) == 1


def test_a_pool_has_a_member():
    with pytest.raises(ValueError, match="pool"):
        Lexicase(0)


# --- learning by parent --------------------------------------------------------------------------------------------


def child(parent: str, fitness: float | None, gain: float) -> Outcome:
    return Outcome("genome-99", 99, (parent,), "swap", fitness, gain=gain)


def test_who_was_chosen_often_without_success_is_chosen_less():
    population, selector = crowd(1.0, 0.98, 0.0), UpperConfidenceBound()
    assert shares(selector, population, draws=20) == {"genome-0": 1.0}
    for _ in range(5):
        selector.chosen(Choice(("genome-0",), "because"))
        selector.feedback(child("genome-0", None, 0.0))
    assert shares(selector, population, draws=20) == {"genome-1": 1.0}


def test_everybody_is_tried_in_the_end():
    population, selector, seen = crowd(3.0, 2.0, 1.0, 0.0), UpperConfidenceBound(), Counter()
    for turn in range(200):
        choice = selector.select(population, 1, Entropy(turn))
        selector.chosen(choice)
        selector.feedback(child(choice.parents[0], 1.0, 0.0))
        seen.update(choice.parents)
    assert set(seen) == {f"genome-{n}" for n in range(4)}
    assert seen["genome-0"] > seen["genome-3"]


def test_whose_children_improve_is_believed_more():
    population, selector = crowd(1.0, 1.0, 1.0), ThompsonSampling()
    assert shares(selector, population, 600) == pytest.approx({f"genome-{n}": 1 / 3 for n in range(3)}, abs=0.08)
    for _ in range(30):
        selector.feedback(child("genome-1", 2.0, 1.0))
        selector.feedback(child("genome-2", 0.5, 0.0))
    seen = shares(selector, population, 600)
    assert seen["genome-1"] > 0.9
    assert seen.get("genome-2", 0.0) < seen.get("genome-0", 0.0) < seen["genome-1"]


def test_the_fitter_is_believed_more_at_first():
    seen = shares(ThompsonSampling(), crowd(0.0, 1.0), 400)
    assert 0.8 < seen["genome-1"] < 1.0


@check_rows("exploration", [-0.1, float("inf"), float("nan")])
def test_an_exploration_is_a_number(exploration):
    with pytest.raises(ValueError, match="exploration"):
        UpperConfidenceBound(exploration)


def test_records_are_bounded():
    records = TrackRecords()
    for number in range(MOST + 10):
        records.chosen(Choice((f"genome-{number}",), "because"))
    assert records.of("genome-9").chosen == 0
    assert records.of(f"genome-{MOST + 9}").chosen == 1
    assert records.choices == MOST + 10


@given(st.lists(st.none() | numbers, max_size=20))
def test_a_record_of_any_children_is_finite(fitnesses):
    records = TrackRecords()
    for fitness in fitnesses:
        records.feedback(child("genome-1", fitness, 0.0))
    record = records.of("genome-1")
    assert abs(record.mean) < float("inf")
    assert (record.scored, record.losses) == (sum(each is not None for each in fitnesses), len(fitnesses))

"""Truncation: the worst go, and no more than must."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mendel.contracts.events.genome import LineageCulled
from mendel.selection.population import Member, Population
from mendel.selection.truncation import Culling, cull_to


def crowd(fitnesses) -> Population:
    population = Population()
    for number, fitness in enumerate(fitnesses):
        population.add(Member(f"genome-{number}", number, fitness, 0, number % 2 == 0, f"candidate-{number}"))
    return population


crowds = st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=20).map(crowd)


@given(crowds, st.integers(0, 25))
def test_the_best_remain_and_nobody_is_removed(population, limit):
    before = list(population.ranked())
    culled = cull_to(population, limit)
    assert list(population.ranked()) == before
    assert [*before[:limit], *reversed(culled)] == before


@given(crowds, st.integers(0, 25))
def test_whoever_must_go_is_the_worst_in_turn(population, limit):
    for member in cull_to(population, limit):
        assert population.worst() == member
        population.remove(member.genome_id)
    assert len(population) <= limit


def test_of_equally_fit_ones_the_youngest_go_first():
    assert [member.birth for member in cull_to(crowd([1.0, 0.5, 0.5, 0.5]), 2)] == [3, 2]


def test_a_limit_is_not_negative():
    with pytest.raises(ValueError, match="-1"):
        cull_to(crowd([]), -1)


def test_a_culling_says_who_why_and_by_which_scores():
    culling = Culling.of(cull_to(crowd([0.9, 0.1, 0.2]), 1), "the population is capped at 1")
    assert culling == Culling(
        ("genome-1", "genome-2"), "the population is capped at 1", {"genome-1": 0.1, "genome-2": 0.2}
    )
    event = LineageCulled(genome_ids=culling.genome_ids, reason=culling.reason, scores=culling.scores)
    assert event.scores == {"genome-1": 0.1, "genome-2": 0.2}
